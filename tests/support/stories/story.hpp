// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_STORIES_STORY_HPP
#define ANEW_TESTS_SUPPORT_STORIES_STORY_HPP

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/attempt.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/testing/laws/observer.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/test_mode.hpp"

#include "driver_support.hpp"
#include "pinned.hpp"

/// A story is what happens to one call: what its attempts answer, how long all takes, who refuses, where a stop comes.
/// It is data. Its books are what a driver did with it: one line for each thing that a part was asked or told.
namespace support::stories {

using anew::directive, anew::duration, anew::error_kind, anew::retry_safety;
using std::chrono::milliseconds;
using support::flag_stop;

/// What the operation is declared as, and whether its results are plain values, which only the classifier can read.
enum class how : std::uint8_t { repeatable, undeclared, once, rewound, valued };
/// The strategy: five compositions of growing size, one with a nesting policy, and one that is not composed.
enum class in : std::uint8_t { plain, told, timed, gated, rest, nested, own };

/// What is true of the whole call. Lists are milliseconds, one for each time that a part is asked, -1 refuses; then 0.
struct setting {
  unsigned attempts = 3;
  int first = 0;  ///< the delay before the first attempt, of the strategy that is not composed
  int deadline = 1'000'000;
  int limit = 0;  ///< of each attempt; 0: none
  char const* quota = "";
  char const* settle = "";
  char const* gate = "";
  char const* foreseen = "";
  char const* pacer = "";
  how is = how::repeatable;
  bool stopped = false;  ///< before the call
  bool deaf = false;     ///< the stop token says that it can never stop
  unsigned test_mode = 0;
  char const* breaks = "";  ///< the part that is about to write this line throws
  char const* stops = "";   ///< with this line a stop comes
  int start = 1'000;
  unsigned calls = 1;  ///< one after the other, of one strategy; the script goes on
  int gap = 0;         ///< between them
};

/// One word for each attempt: `ok`, `no` (final), `again` (throttling), `net`, `late` (may have taken effect), `good`
/// (an error that counts as a success); then `!` thrown, `?` thrown and unknown to the classifier, `^N` with a hint,
/// `+N` it takes so long, `~N` the waits before it last longer, `#` a stop comes in it, `%` a stop comes in the first
/// wait before it, `-` it cannot be put back. The last word counts for all further attempts.
struct story {
  char const* name;
  in where;
  setting with;
  char const* script;
  char const* books;
};

/// Whether a call begins when it is already stopped.
[[nodiscard]] inline bool begins_stopped(story const& s) {
  return s.with.stopped ||
         (s.with.calls > 1 && std::string_view{s.script}.find_first_of("#%") != std::string_view::npos);
}
/// Drivers differ here, as they say: retry() makes the first attempt all the same, because it must return some result.
[[nodiscard]] inline bool stops_before_first(story const& s) {
  return s.where == in::own && s.with.first > 0 &&
         (begins_stopped(s) || std::string_view{s.script}.find('%') != std::string_view::npos);
}
[[nodiscard]] inline bool sleeper_throws(story const& s) {
  return std::string_view{s.with.breaks}.starts_with("sleep");
}

struct fault {
  int at = 0;
  directive verdict = directive::fail();
};
struct broke {};
struct answer {
  int at = 0;
  std::optional<fault> failed{};
  [[nodiscard]] bool has_value() const noexcept { return !failed; }
  [[nodiscard]] fault const& error() const noexcept { return *failed; }
};

struct step {
  directive verdict = directive::succeed();
  bool fails = false, throws = false, unknown = false, stops = false, stops_in_wait = false, stuck = false;
  duration takes{}, late{};
};

/// A result that says nothing of failure, and is cheap to copy.
struct value {
  step const* of;
  int at;
  operator answer() const {  // NOLINT(*-explicit-*)
    return {at, of->fails && !of->verdict.is_success() ? std::optional{fault{at, of->verdict}} : std::nullopt};
  }
};

inline std::vector<int> numbers(char const* list) {
  std::istringstream from{list};
  std::vector<int> all;
  for (int n = 0; from >> n;) all.push_back(n);
  return all;
}

inline step read_step(std::string const& word) {
  step s;
  auto const end = word.find_first_of("!?^+~#%-");
  auto const what = word.substr(0, end);
  std::optional<duration> hint;
  for (auto at = end; at < word.size(); ++at) {
    auto const number = [&] { return milliseconds{std::atoi(word.c_str() + at + 1)}; };
    switch (word[at]) {
      case '!': s.throws = true; break;
      case '?': s.throws = s.unknown = true; break;
      case '^': hint = number(); break;
      case '+': s.takes = number(); break;
      case '~': s.late = number(); break;
      case '#': s.stops = true; break;
      case '%': s.stops_in_wait = true; break;
      case '-': s.stuck = true; break;
      default: break;
    }
  }
  s.fails = what != "ok";
  if (what == "no") s.verdict = directive::fail();
  if (what == "again") s.verdict = directive::retry({error_kind::throttling, retry_safety::yes, hint});
  if (what == "net") s.verdict = directive::retry({error_kind::transient, retry_safety::yes, hint});
  if (what == "late") s.verdict = directive::retry({error_kind::timeout, retry_safety::maybe, hint});
  return s;
}

/// Where a story takes place: the clock, the stop, and the books.
struct world : public support::pinned {
  explicit world(story const& s) : of{s}, clock{milliseconds{s.with.start}} {
    std::istringstream words{s.script};
    for (std::string word; words >> word;) steps_.push_back(read_step(word));
    stop.requested = s.with.stopped;
    stop.possible = !s.with.deaf;
    if (s.with.test_mode != 0) fast_.emplace(s.with.test_mode);
  }

  /// What a part of the strategy remembers.
  struct memory {
    std::size_t asked = 0;
    int answer = 0;
    int last = 0;
  };
  story const& of;
  anew::testing::manual_clock clock;
  anew::testing::observer_laws laws;
  flag_stop::state stop{};
  unsigned made = 0;
  int held = 0;
  memory quota{}, gate{}, pacer{}, nesting{};
  std::size_t foreseen = 0;
  std::size_t settled = 0;

  void begin_call() {
    if (made != 0) clock.advance(milliseconds{of.with.gap});
    made_before_ = made;
    began_ = clock.peek();
    told_kind_.reset();
    told_delay_.reset();
  }
  /// The observer was told of a retry. Where the wait and the attempt are as it was told, the books do not say it again.
  void foretell(error_kind kind, duration delay) {
    told_kind_ = kind;
    told_delay_ = delay;
  }
  static std::string text(duration d) { return std::to_string(std::chrono::duration_cast<milliseconds>(d).count()); }
  [[nodiscard]] std::string at(anew::time_point t) const {
    return " @" + text(t.time_since_epoch() - milliseconds{of.with.start});
  }
  void note(std::string line) {
    bool const breaks = line == of.with.breaks;
    if (line == of.with.stops) stop.requested = true;
    books_.append(books_.empty() ? "" : "; ").append(line);
    if (breaks) throw broke{};
  }
  [[nodiscard]] step const* last() const { return last_; }
  [[nodiscard]] bool sees_stop() const { return stop.requested && stop.possible; }
  [[nodiscard]] std::string const& books() const { return books_; }
  [[nodiscard]] step const& now() const { return steps_[made < steps_.size() ? made : steps_.size() - 1]; }

  /// The attempt itself, for all drivers. Throws where the story says so.
  answer attempt(anew::attempt const& self) {
    std::string line{"try " + std::to_string(self.number())};
    auto const kind = self.previous_error();
    if (kind != std::exchange(told_kind_, std::nullopt))
      line.append(" after ").append(kind ? to_string(*kind) : "none");
    bool const is_plain = of.with.deadline == setting{}.deadline &&
                          self.remaining() == milliseconds{of.with.deadline} - (clock.peek() - began_);
    if (self.remaining() != duration::max() && !is_plain) line += " left " + text(self.remaining());
    auto const limit = self.limit();  // without a composed timeout nothing limits an attempt that begins late
    if (limit != self.remaining() && limit != anew::duration::max()) line += " limit " + text(limit);
    if (self.stop_requested()) line += " stopped";
    auto const& s = *(last_ = &now());
    ++made;
    note(std::move(line));
    clock.advance(s.takes);
    if (s.stops) stop.requested = true;
    auto const id = static_cast<int>(made);
    if (s.unknown) throw id;
    if (s.throws) throw fault{id, s.verdict};
    if (s.fails) return {id, fault{id, s.verdict}};
    return {id};
  }
  bool put_back() {
    bool const stuck = steps_[made <= steps_.size() ? made - 1 : steps_.size() - 1].stuck;
    note(stuck ? "stuck" : "put back");
    return !stuck;
  }
  void wait(duration delay) {
    note(delay == std::exchange(told_delay_, std::nullopt) ? "sleep" : "sleep " + text(delay));
    clock.advance(delay + now().late);
    bool const stops = now().stops_in_wait && woken_before_ != made;
    woken_before_ = made;
    if (stops) stop.requested = true;
  }
  /// The next entry of a list.
  static int next(char const* list, std::size_t& at) {
    auto const all = numbers(list);
    return at < all.size() ? all[at++] : 0;
  }

  /// What a driver says of the end is what the observer was told.
  void check(anew::stop_reason reason, unsigned attempts) const {
    EXPECT_EQ(attempts, made - made_before_);
    auto const told = books_.rfind("end ");
    if (told == std::string::npos) return;
    EXPECT_EQ(books_.substr(told, books_.find(';', told) - told),
              "end " + std::string{to_string(reason)} + " " + std::to_string(attempts));
  }

  /// What the call ended with, and whether all that it held came back.
  void ends(auto&& get) {
    std::string end;
    try {
      answer const a = get();
      end = (a.failed ? "= error " : "= value ") + std::to_string(a.at);
    } catch (fault const& f) {
      end = "= thrown " + std::to_string(f.at);
    } catch (int id) {
      end = "= unknown " + std::to_string(id);
    } catch (anew::call_refused const& refused) {
      end = std::string{"= refused "} + to_string(refused.reason());
    } catch (broke const& /*part*/) {
      end = "= broke";
    }
    if (held != 0) end += " HOLDING " + std::to_string(held);
    note(std::move(end));
  }

 private:
  std::string books_;
  step const* last_ = nullptr;
  std::vector<step> steps_;
  std::optional<anew::testing::test_mode> fast_;
  unsigned woken_before_ = ~0U;
  unsigned made_before_ = 0;
  anew::time_point began_{};
  std::optional<error_kind> told_kind_;
  std::optional<duration> told_delay_;
};

}  // namespace support::stories

#endif
