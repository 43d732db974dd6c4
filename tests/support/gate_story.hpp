// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_GATE_STORY_HPP
#define ANEW_TESTS_SUPPORT_GATE_STORY_HPP

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"

#include "breaker_support.hpp"

/// What happens at a gate, as words. Times are milliseconds after 1000 s.
///
///     @N  @N-  @N+     it is then, or a nanosecond before or after; 1.500 has microseconds; `@next`: when it has
///                      cooled
///     s  f  c  r       an attempt is admitted, and at once succeeds, fails, fails by the caller's fault, or is not made;
///                      so does the kind of an error by its name. f*9: nine of them; f^500: with a hint
///     x=               an attempt is admitted and goes on as x; s:x, f:x, c:x, r:x end it. Whatever never began has no
///                      pass
///     ?yes  ?no        an attempt is admitted, and not made; is refused
///     ?N  ?N..M        is told to ask again so much later. ?x:N: the waiting attempt x asks, again
///     foresees  hopes  the gate says that it would refuse, and that it would not
///     closed  open  half_open      the state of a breaker
///     isolate  close   by hand; the change comes from the state before
///     row=N  until=N  never  over  the failures in a row, and until when it cools: never did, no longer
namespace support {

/// Draws the longest pause each time: the backoff's delay itself.
struct the_whole_pause {
  std::uint64_t operator()() const noexcept { return 0; }
};

template <class Gate>
struct gate_story {
  explicit gate_story(Gate const& gate) : gate_{gate} {}

  void play(char const* script) {
    SCOPED_TRACE(script);
    std::istringstream words{script};
    for (std::string word; words >> word && !testing::Test::HasFatalFailure();) {
      SCOPED_TRACE(word);
      this->word(word);
    }
  }

 private:
  using pass_type = typename Gate::pass_type;
  static constexpr bool cools = requires(Gate const& g) { g.cooling_until(); };

  static anew::time_point at(char const* text) {
    char* end = nullptr;
    auto then = anew::time_point{std::chrono::seconds{1000}} + std::chrono::milliseconds{std::strtoll(text, &end, 10)};
    if (*end == '.') then += std::chrono::microseconds{std::strtoll(end + 1, &end, 10)};
    return *end == '-' ? then - anew::duration{1} : *end == '+' ? then + anew::duration{1} : then;
  }
  static anew::duration length(char const* text) { return at(text) - at("0"); }

  void word(std::string const& w) {
    if (w == "@next") {
      now_ = anew::detail::larger(now_, cooling_until());
    } else if (w[0] == '@') {
      now_ = at(w.c_str() + 1);
    } else if (w[0] == '?') {
      ask(w.substr(1));
    } else if (w == "foresees" || w == "hopes") {
      EXPECT_EQ(would_refuse(), w == "foresees");
    } else if (w == "closed" || w == "open" || w == "half_open") {
      EXPECT_EQ(state(), w);
    } else if (w == "isolate" || w == "close") {
      by_hand(w == "close");
    } else if (w == "never" || w == "over") {
      EXPECT_LE(cooling_until(), w == "over" ? now_ : anew::time_point::min());
    } else if (w.starts_with("until=")) {
      EXPECT_EQ(cooling_until(), at(w.c_str() + 6));
    } else if (w.starts_with("row=")) {
      EXPECT_EQ(row(), w.substr(4));
    } else if (w.back() == '=') {
      passes_[w[0]] = enter();
    } else {
      end(w);
    }
  }

  pass_type enter() {
    auto const pass = support::enter(gate_, now_);
    EXPECT_NE(pass, pass_type{});
    return pass;
  }
  [[nodiscard]] bool would_refuse() const {
    if constexpr (requires { gate_.would_refuse(now_); }) return gate_.would_refuse(now_);
    return false;
  }
  [[nodiscard]] anew::time_point cooling_until() const {
    if constexpr (cools) return gate_.cooling_until();
    return {};
  }
  [[nodiscard]] std::string row() const {
    if constexpr (cools) return std::to_string(gate_.failures());
    return "not a cool_down";
  }
  [[nodiscard]] std::string state() const {
    if constexpr (!cools) return to_string(state_of(gate_));
    return "not a breaker";
  }

  void by_hand(bool closes) {
    if constexpr (!cools) {
      auto const before = state_of(gate_);
      auto const& breaker = support::breaker_of(gate_);
      auto const to = closes ? anew::breaker_state::closed : anew::breaker_state::open;
      EXPECT_EQ(closes ? breaker.close() : breaker.isolate(), (anew::gate_change{before, to}));
      EXPECT_EQ(state_of(gate_), to);
    } else {
      ADD_FAILURE() << "not a breaker";
    }
  }

  void ask(std::string const& w) {
    auto const colon = w.find(':');
    auto const expected = w.substr(colon + 1);
    auto const answer = [&] {
      if constexpr (cools) {
        if (colon != std::string::npos) return gate_.try_enter(now_, waiting_[w[0]].since, anew::thread_random{});
      }
      return gate_.try_enter(now_);
    }();
    EXPECT_EQ(answer.pass.has_value(), expected == "yes");
    if (answer.pass) {
      if (colon == std::string::npos) {
        gate_.release(*answer.pass);
      } else {
        passes_[w[0]] = *answer.pass;
      }
    } else {
      auto const dots = expected.find("..");
      EXPECT_GE(answer.wait, length(expected.c_str()));
      EXPECT_LE(answer.wait, length(expected.c_str() + (dots == std::string::npos ? 0 : dots + 2)));
    }
  }

  /// What it was, for x, how often, with what hint.
  void end(std::string const& w) {
    auto const what = w.substr(0, w.find_first_of(":*^"));
    auto const number = [&](char sign) -> char const* {
      auto const found = w.find(sign);
      return found == std::string::npos ? nullptr : w.c_str() + found + 1;
    };
    anew::failure failed{.kind = what == "c" ? anew::error_kind::client : anew::error_kind::server};
    for (std::uint8_t kind = 0; kind != 5; ++kind) {
      if (what == to_string(static_cast<anew::error_kind>(kind))) failed.kind = static_cast<anew::error_kind>(kind);
    }
    ASSERT_TRUE(what.size() > 1 || std::string{"sfcr"}.find(what) != std::string::npos) << "no such word";
    if (auto const* hint = number('^')) failed.hint = length(hint);
    auto const* const kept = number(':');
    auto const* const times = number('*');
    for (int i = times == nullptr ? 1 : std::atoi(times); i != 0; --i) {
      auto const pass = kept == nullptr ? enter() : passes_[*kept];
      if (what == "s") {
        gate_.on_success(pass, now_);
      } else if (what == "r") {
        gate_.release(pass);
      } else if constexpr (cools) {
        gate_.on_failure(pass, failed, now_, the_whole_pause{});
      } else {
        gate_.on_failure(pass, failed, now_);
      }
    }
  }

  struct waiting {
    anew::time_point since = anew::time_point::min();
  };
  Gate const& gate_;
  anew::time_point now_ = at("0");
  std::map<char, pass_type> passes_;
  std::map<char, waiting> waiting_;
};

template <class Gate>
void play(Gate const& gate, char const* script) {
  gate_story<Gate>{gate}.play(script);
}

}  // namespace support

#endif
