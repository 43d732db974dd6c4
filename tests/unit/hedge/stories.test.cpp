// SPDX-License-Identifier: BSL-1.0
// A hedged call that sends no hedges is a retry: the stories of stories/table.hpp. One that sends some has its own.
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/hedge.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/strategy/adjusted.hpp"

#include "stories/steps.hpp"

namespace hedge_stories_test {
namespace {

using namespace support::stories;

struct without_hedges {
  /// Its operation may run twice at a time, so it is declared repeatable; a strategy that is nested, starts over or is not
  /// composed does not compile. It returns what it holds before it tells of a refusal by a gate or a pacer, not after.
  static bool plays(story const& s) {
    std::string_view const script{s.script};
    bool const may_be_refused = s.with.deadline < 1'000'000 || script.find('%') != script.npos ||
                                std::string_view{s.with.gate}.find('-') != script.npos ||
                                std::string_view{s.with.pacer}.find('-') != script.npos || begins_stopped(s);
    return s.where != in::nested && s.where != in::rest && s.where != in::own && s.with.is == how::repeatable &&
           !sleeper_throws(s) && !(s.where == in::gated && may_be_refused);
  }
  template <class S>
  static constexpr bool is_hedged = is_composed<S> && !is_nested<S> && !requires { requires S::has_reset; };
  template <class S>
  static void play(S const& strategy, world& w) {
    if constexpr (is_hedged<S>) {
      anew::hedge_after const hedging{milliseconds{10}, 0};
      anew::hedge_machine call{strategy, hedging, anew::idempotent_call};
      std::optional<answer> last;
      std::exception_ptr thrown;
      auto const attempt = [&](unsigned number) {
        thrown = nullptr;
        make_attempt(call, w, last, thrown);
        if (w.stop.requested) {
          EXPECT_FALSE(call.request_stop().finished);
        }
        return thrown ? call.on_exception(number, thrown) : call.on_outcome(number, *last);
      };
      w.ends([&] {
        auto step = call.begin();
        while (!step.finished) {
          if (step.start != 0) {
            EXPECT_EQ(call.in_flight(), 1U);
            step = attempt(step.start);
          } else {
            EXPECT_EQ(step.timer, anew::hedge_timer::set);
            w.wait(step.after);
            step = w.sees_stop() ? call.request_stop() : call.on_time();
          }
        }
        w.check(call.reason(), call.attempts());
        EXPECT_EQ(step.result_of, call.attempts());
        if (call.attempts() == 0) throw anew::call_refused{call.reason()};
        if (thrown) std::rethrow_exception(thrown);
        return *last;
      });
    }
  }
};

// What happens in a call with hedges: a script says what its driver tells it, the books what it answers and does.

using namespace std::chrono_literals;
using anew::hedge_step, anew::hedge_timer, anew::stop_reason, anew::when_pushed_back;

enum class hedges : std::uint8_t { up_to_1, up_to_2, up_to_3, up_to_4, polite, at_once };
enum class hint : std::uint8_t { usual, pushback };
using enum hedges;
using enum hint;

/// `begin`, `time`, `stop` and `+N` (time passes); `N:word` ends attempt N as in stories/story.hpp, and `N:over` at its
/// limit. A step is in the books as `start N in M`, `in M` (the timer), `off` (no timer), `-` (as it is), or `= N why`.
struct hedged {
  char const* name;
  hedges sends;
  in where;
  hint heard;
  setting with;
  char const* script;
  char const* books;
};

std::string text_of(hedge_step const& step, stop_reason why) {
  if (step.finished) return "= " + std::to_string(step.result_of) + " " + to_string(why);
  std::string line = step.start != 0 ? "start " + std::to_string(step.start) + " " : "";
  if (step.timer == hedge_timer::set) return line + "in " + world::text(step.after);
  return line + (step.timer == hedge_timer::cancel ? "off" : "-");
}

void play(auto const& strategy, auto const& hedging, world& w) {
  anew::hedge_machine call{strategy, hedging, anew::idempotent_call};
  auto const tell = [&](std::string const& word) -> hedge_step {
    if (word == "begin") return call.begin();
    if (word == "time") return call.on_time();
    if (word == "stop") return call.request_stop();
    auto const number = static_cast<std::uint32_t>(word[0] - '0');
    if (word.substr(2) == "over") return call.on_attempt_timeout(number);
    auto const step = call.on_verdict(number, read_step(word.substr(2)).verdict);
    EXPECT_FALSE(call.is_in_flight(number));
    return step;
  };
  std::istringstream words{w.of.script};
  for (std::string word; words >> word;) {
    if (word[0] == '+') {
      w.clock.advance(1ms * std::stoi(word));
    } else {
      auto const step = tell(word);
      w.note(text_of(step, call.reason()));
      EXPECT_EQ(call.is_finished(), step.finished);
      EXPECT_EQ(call.is_in_flight(step.start), step.start != 0);
    }
  }
}

std::string books_with_hedges(hedged const& row) {
  story const told{row.name, row.where, row.with, row.script, row.books};
  world w{told};
  auto const by = [&](auto const& strategy) {
    switch (row.sends) {
      case up_to_1: return play(strategy, anew::hedge_after<10ms>{}, w);
      case up_to_2: return play(strategy, anew::hedge_after<10ms, 2>{}, w);
      case up_to_3: return play(strategy, anew::hedge_after<10ms, 3>{}, w);
      case up_to_4: return play(strategy, anew::hedge_after<10ms, 4>{}, w);
      case polite: return play(strategy, anew::hedge_after<10ms, 2, when_pushed_back::stop>{}, w);
      case at_once: return play(strategy, anew::hedge_at_once<2>{}, w);
    }
  };
  compose(w, [&](auto const& strategy) {
    using S = std::remove_cvref_t<decltype(strategy)>;
    if constexpr (is_composed<S> && !is_nested<S> && !requires { requires S::has_reset; }) {
      row.heard == pushback ? by(anew::adjusted(strategy, anew::pushback_hint<>{})) : by(strategy);
    }
  });
  if (w.held != 0) w.note("HOLDING");
  return w.books();
}

// clang-format off: it would put each word of a row on a line of its own
constexpr hedged with_hedges[]{
    {"an answer in time needs no hedge", up_to_1, in::told, usual, {}, "begin 1:ok",
     "start 1 in 10; paid 0; told 1 good; end succeeded 1; = 1 succeeded"},
    {"a hedge is sent when the delay is over, and wins", up_to_1, in::told, usual, {}, "begin time 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; paid 1; told 2 good; end succeeded 2; = 2 succeeded"},
    {"a hedge that loses is spent", up_to_2, in::told, usual, {}, "begin time time 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; next 3 timeout in 0; start 3 off; paid 1; "
     "spent 2; told 2 good; end succeeded 3; = 2 succeeded"},
    {"a first attempt that wins spends its hedge", up_to_1, in::told, usual, {}, "begin time 1:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; paid 0; spent 1; told 1 good; end succeeded 2; "
     "= 1 succeeded"},
    {"late losers change nothing", up_to_1, in::told, usual, {}, "begin time 2:ok 1:ok 1:no 2:net 1:over time stop",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; paid 1; told 2 good; end succeeded 2; = 2 succeeded; "
     "= 2 succeeded; = 2 succeeded; = 2 succeeded; = 2 succeeded; = 2 succeeded; = 2 succeeded"},
    {"numbers that are not in flight are ignored", up_to_1, in::told, usual, {}, "begin 0:ok 2:ok time 1:net 1:no 2:ok",
     "start 1 in 10; -; -; take 1; next 2 timeout in 0; start 2 off; told 1; off; -; paid 1; told 2 good; "
     "end succeeded 2; = 2 succeeded"},
    {"a final error ends the call, and the others are lost", up_to_2, in::told, usual, {}, "begin time time 1:no",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; next 3 timeout in 0; start 3 off; spent 1; "
     "spent 2; told 1 bad; end not_retryable 3; = 1 not_retryable"},
    {"an error starts the next hedge at once", up_to_2, in::told, usual, {.attempts = 5},
     "begin 1:again time 2:net 3:ok",
     "start 1 in 10; take 1; told 1; next 2 throttling in 0; start 2 in 10; take 2; next 3 timeout in 0; "
     "start 3 off; spent 1; told 2; off; paid 2; told 3 good; end succeeded 3; = 3 succeeded"},
    {"with others in flight too", up_to_2, in::told, usual, {.attempts = 5}, "begin time 1:net 3:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1; next 3 transient in 0; start 3 off; "
     "paid 2; spent 1; told 3 good; end succeeded 3; = 3 succeeded"},
    {"when all have failed another round begins after the delay", up_to_1, in::told, usual, {.attempts = 5},
     "begin time 2:net 1:net time time 3:net 4:net time time 5:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; spent 1; told 2; off; take 2; told 1; "
     "next 3 transient in 200; in 200; start 3 in 10; take 3; next 4 timeout in 0; start 4 off; spent 2; told 3; "
     "off; spent 3; take 4; told 4; next 5 transient in 800; in 800; start 5 in 10; off; spent 4; told 5 final; "
     "end attempts 5; = 5 attempts"},
    {"the attempts are counted with the hedges", up_to_2, in::told, usual, {.attempts = 2},
     "begin time time 1:net 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; off; told 1; off; spent 1; told 2 final; "
     "end attempts 2; = 2 attempts"},
    {"a refused hedge leaves the others alone", up_to_2, in::told, usual, {.attempts = 5, .quota = "-1"},
     "begin time time 1:ok",
     "start 1 in 10; quota refuses timeout; off; -; paid 0; told 1 good; end succeeded 1; = 1 succeeded"},
    {"after a refused hedge a failure is decided as in retry", up_to_1, in::told, usual,
     {.attempts = 5, .quota = "-1 0 -1"}, "begin time 1:net time 2:net",
     "start 1 in 10; quota refuses timeout; off; take 1; told 1; next 2 transient in 100; in 100; start 2 in 10; "
     "spent 1; quota refuses transient; told 2 final; end quota 2; = 2 quota"},
    {"a failure with others in flight and a refusal waits", up_to_2, in::told, usual, {.attempts = 5, .quota = "0 -1"},
     "begin time 1:net 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; quota refuses transient; told 1; off; paid 1; "
     "told 2 good; end succeeded 2; = 2 succeeded"},
    {"after a refusal no other hedge is tried in that round", up_to_4, in::told, usual,
     {.attempts = 9, .quota = "0 0 -1"}, "begin time time 1:net 2:net 3:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; next 3 timeout in 0; start 3 in 10; "
     "quota refuses transient; told 1; off; spent 1; told 2; off; spent 2; take 3; told 3; next 4 transient in 400; "
     "in 400; unused 3"},
    {"the deadline refuses hedges", up_to_1, in::timed, usual, {.deadline = 50}, "begin +50 time 1:net",
     "start 1 in 10; take 1; unused 1; off; take 2; unused 2; told 1 final; end deadline 1; = 1 deadline"},
    {"the deadline ends the attempts", up_to_1, in::timed, usual, {.attempts = 2, .deadline = 100},
     "begin time +100 1:over",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; spent 1; told 1 bad; end deadline 2; = 1 deadline"},
    {"the end of an attempt at its limit is read", up_to_1, in::timed, usual, {.limit = 30}, "begin time 1:over",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; spent 1; told 1 bad; end not_retryable 2; "
     "= 1 not_retryable"},
    {"pushback takes the place of the delay", up_to_2, in::told, pushback, {.attempts = 5},
     "begin time 1:net^300 time 3:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1; next 3 transient^300 in 300 by 1; "
     "in 300; start 3 off; paid 2; spent 1; told 3 good; end succeeded 3; = 3 succeeded"},
    {"what was pushed back is given back when another wins", up_to_2, in::told, pushback, {.attempts = 5},
     "begin time 1:net^300 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1; next 3 transient^300 in 300 by 1; "
     "in 300; paid 1; told 2 good; end succeeded 2; unused 2; = 2 succeeded"},
    {"while one is pushed back failures wait for it", up_to_2, in::told, pushback, {.attempts = 5},
     "begin time 1:net^300 2:net time 3:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1; next 3 transient^300 in 300 by 1; "
     "in 300; spent 1; told 2; -; start 3 off; spent 2; take 3; told 3; next 4 transient in 400; in 400; unused 3"},
    {"the last pushback holds", up_to_2, in::told, pushback, {.attempts = 5},
     "begin time 1:net^300 2:net^700 time 3:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1; next 3 transient^300 in 300 by 1; "
     "in 300; spent 1; unused 2; take 3; told 2; next 3 transient^700 in 700 by 1; in 700; start 3 in 10; paid 3; "
     "told 3 good; end succeeded 3; = 3 succeeded"},
    {"a hedge that is pushed back again gives its place back", up_to_3, in::told, pushback, {.attempts = 5},
     "begin time time 1:net^300 2:net^200 time",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; next 3 timeout in 0; start 3 in 10; take 3; "
     "told 1; next 4 transient^300 in 300 by 1; in 300; spent 1; unused 3; take 4; told 2; "
     "next 4 transient^200 in 300 by 1; in 300; start 4 off; unused 2; unused 4"},
    {"pushback may end the hedges of a call", polite, in::told, pushback, {.attempts = 5},
     "begin time 1:net^300 time 2:net^300 time 3:net time",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; told 1; off; -; spent 1; take 2; told 2; "
     "next 3 transient^300 in 300 by 1; in 300; start 3 off; spent 2; take 3; told 3; next 4 transient in 400; "
     "in 400; start 4 off; unused 3"},
    {"pushback of zero is at once", up_to_2, in::told, pushback, {.attempts = 5}, "begin time 1:net^0 2:net^0 3:net^0",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1; next 3 transient^0 in 0 by 1; "
     "start 3 off; spent 1; told 2; off; spent 2; take 3; told 3; next 4 transient^0 in 0 by 1; start 4 in 10; "
     "unused 3"},
    {"a negative pushback drops the hedge that is planned", up_to_2, in::told, pushback, {.attempts = 5},
     "begin time 1:net^300 2:net^-1",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1; next 3 transient^300 in 300 by 1; "
     "in 300; spent 1; unused 2; told 2 final; end not_retryable 2; = 2 not_retryable"},
    {"a negative pushback ends further attempts", up_to_2, in::told, pushback, {.attempts = 5},
     "begin time 2:net^-1 time 1:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; spent 1; told 2; off; -; told 1 final; "
     "end not_retryable 2; = 1 not_retryable"},
    {"a negative pushback does not end those in flight", up_to_2, in::told, pushback, {.attempts = 5},
     "begin time 2:net^-1 1:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; spent 1; told 2; off; paid 0; told 1 good; "
     "end succeeded 2; = 1 succeeded"},
    {"a hint that is too long refuses the hedge alone", up_to_2, in::told, pushback, {.attempts = 5},
     "begin time 1:net^61000 2:net^61000",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; unused 2; told 1; off; spent 1; take 3; "
     "unused 3; told 2 final; end hint_too_long 2; = 2 hint_too_long"},
    {"a hint is remembered when another fails without one", up_to_1, in::told, usual, {.attempts = 5},
     "begin time 1:net^60000 +7000 2:net +53000 time 3:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; told 1; off; spent 1; take 2; told 2; "
     "next 3 transient in 53000 by 1; in 53000; start 3 in 10; spent 2; take 3; told 3; next 4 transient in 0; "
     "start 4 off; unused 3"},
    {"a hint that is over delays nothing", up_to_1, in::told, usual, {.attempts = 5},
     "begin time 1:net^60000 +61000 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; told 1; off; spent 1; take 2; told 2; "
     "next 3 transient in 200; in 200; unused 2"},
    {"a hint too long ends the call when another fails", up_to_2, in::told, usual, {.attempts = 5},
     "begin time 1:net^61000 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; unused 2; told 1; off; spent 1; take 3; "
     "unused 3; told 2 final; end hint_too_long 2; = 2 hint_too_long"},
    {"a hint too long ends the call without a hedge left", up_to_2, in::told, usual, {.attempts = 5},
     "begin time time 1:net^61000 3:net 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; next 3 timeout in 0; start 3 off; told 1; "
     "off; spent 2; told 3; off; spent 1; take 3; unused 3; told 2 final; end hint_too_long 3; = 2 hint_too_long"},
    {"a hint too long does not end those in flight", up_to_1, in::told, usual, {.attempts = 5},
     "begin time 1:net^61000 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; told 1; off; paid 1; told 2 good; end succeeded 2; "
     "= 2 succeeded"},
    {"a hint is remembered though the quota refuses", up_to_2, in::told, usual, {.attempts = 5, .quota = "0 -1"},
     "begin time 1:net^60000 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; quota refuses transient; told 1; off; spent 1; "
     "take 2; told 2; next 3 transient in 60000 by 1; in 60000; unused 2"},
    {"a negative hint is none without pushback", up_to_1, in::told, usual, {.attempts = 5},
     "begin time 1:net^-1 2:net^-1",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; told 1; off; spent 1; take 2; told 2; "
     "next 3 transient in 200; in 200; unused 2"},
    {"a stop starts nothing, and the last in flight ends the call", up_to_2, in::told, usual, {.attempts = 5},
     "begin time stop time 2:net 1:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; off; -; unused 1; -; end cancelled 2; = 1 cancelled"},
    {"a stop drops a hedge that waits", up_to_2, in::told, pushback, {.attempts = 5},
     "begin time 1:net^300 stop time 2:net",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; take 2; told 1; next 3 transient^300 in 300 by 1; "
     "in 300; unused 2; off; -; end cancelled 2; unused 1; = 2 cancelled"},
    {"a success after a stop is a success", up_to_1, in::told, usual, {.attempts = 5}, "begin time stop 2:ok",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 off; off; paid 1; told 2 good; end succeeded 2; "
     "= 2 succeeded"},
    {"what it holds comes back when it is destroyed", up_to_2, in::told, usual, {.attempts = 5}, "begin time",
     "start 1 in 10; take 1; next 2 timeout in 0; start 2 in 10; unused 1"},
    {"all at once", at_once, in::told, usual, {}, "begin time time 3:ok",
     "start 1 in 0; take 1; next 2 timeout in 0; start 2 in 0; take 2; next 3 timeout in 0; start 3 off; paid 2; "
     "spent 1; told 3 good; end succeeded 3; = 3 succeeded"},
    {"each attempt has a pass, and losers fail nothing", up_to_2, in::gated, usual, {.attempts = 5},
     "begin time time 2:net 3:ok",
     "gate 0 @0; pace 0 @0; start 1 in 10; take 1; next 2 timeout in 0; gate 0 @0; pace 0 @0; start 2 in 10; take 2; "
     "next 3 timeout in 0; gate 0 @0; pace 0 @0; start 3 off; spent 1; failed transient @0 2; not sent transient @0; "
     "told 2; off; paid 2; passed @0 3; sent @0; left 1; told 3 good; end succeeded 3; = 3 succeeded"},
    {"a gate that refuses a hedge leaves the others alone", up_to_2, in::gated, usual,
     {.attempts = 5, .gate = "0 -1 -1"}, "begin time 1:net time",
     "gate 0 @0; pace 0 @0; start 1 in 10; take 1; next 2 timeout in 0; gate -1 @0; unused 1; off; "
     "failed transient @0 1; not sent transient @0; take 2; told 1; next 2 transient in 100; in 100; gate -1 @0; "
     "unused 2; end gate_closed 1; = 1 gate_closed"},
    {"a gate that is known to refuse is not waited for", up_to_2, in::gated, usual,
     {.attempts = 5, .foreseen = "0 1 1"}, "begin time 1:net 2:net",
     "gate 0 @0; pace 0 @0; start 1 in 10; take 1; next 2 timeout in 0; gate 0 @0; pace 0 @0; start 2 in 10; "
     "failed transient @0 1; not sent transient @0; take 2; foreseen @0; unused 2; told 1; off; spent 1; "
     "failed transient @0 2; not sent transient @0; take 3; foreseen @200; unused 3; told 2 final; "
     "end gate_closed 2; = 2 gate_closed"},
    {"a gate may refuse the first attempt", up_to_1, in::gated, usual, {.gate = "-1"}, "begin",
     "gate -1 @0; end gate_closed 0; = 0 gate_closed"},
    {"a gate may make attempts wait", up_to_1, in::gated, usual, {.gate = "2000 0 3000"}, "begin time time 1:ok",
     "gate 2000 @0; in 2000; gate 0 @2000; pace 0 @2000; start 1 in 10; take 1; next 2 timeout in 0; gate 3000 @0; "
     "in 3000; paid 0; passed @0 1; sent @0; told 1 good; end succeeded 1; unused 1; = 1 succeeded"},
    {"a wait for a gate that passes the deadline is a refusal", up_to_1, in::gated, usual,
     {.deadline = 10000, .gate = "0 10000"}, "begin time 1:ok",
     "gate 0 @0; pace 0 @0; start 1 in 10; take 1; next 2 timeout in 0; gate 10000 @0; unused 1; off; paid 0; "
     "passed @0 1; sent @0; told 1 good; end succeeded 1; = 1 succeeded"},
    {"a first wait for a gate that passes the deadline", up_to_1, in::gated, usual,
     {.deadline = 10000, .gate = "10000"}, "begin",
     "gate 10000 @0; end deadline 0; = 0 deadline"},
    {"pushback ends the wait of a hedge for a gate", up_to_2, in::gated, usual, {.attempts = 5, .gate = "0 3000"},
     "begin time 1:net^1000 time",
     "gate 0 @0; pace 0 @0; start 1 in 10; take 1; next 2 timeout in 0; gate 3000 @0; in 3000; "
     "failed transient @0 1; not sent transient @0; unused 1; take 2; told 1; next 2 transient^1000 in 1000 by 1; "
     "in 1000; gate 0 @0; pace 0 @0; start 2 in 10; left 2; unused 2"},
    {"test mode caps the attempts and waits for nothing", up_to_1, in::told, usual, {.attempts = 5, .test_mode = 2},
     "begin 1:net 2:net",
     "start 1 in 10; take 1; told 1; next 2 transient in 0; start 2 off; spent 1; told 2 final; end attempts 2; "
     "= 2 attempts"},
};
// clang-format on

TEST(HedgeStories, WithHedges) {
  for (auto const& row : with_hedges) EXPECT_EQ(books_with_hedges(row), row.books) << row.name;
}

TEST(HedgeStories, WithoutHedges) { EXPECT_GT(play_all<without_hedges>(), 90); }
TEST(HedgeStories, WithoutHedgesThatNobodyWrote) { EXPECT_GT(play_random<without_hedges>(), 700); }

}  // namespace
}  // namespace hedge_stories_test
