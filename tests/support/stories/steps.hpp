// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_STORIES_STEPS_HPP
#define ANEW_TESTS_SUPPORT_STORIES_STEPS_HPP

#include <exception>
#include <optional>
#include <string_view>

#include "anew/drivers/call_engine.hpp"
#include "anew/drivers/retry_machine.hpp"

#include "play.hpp"

/// The drivers that go step by step: call_engine, which owns the operation, and retry_machine, which never sees it.
namespace support::stories {

using anew::next_step;

/// `attempt(last, thrown)` makes an attempt, keeps what it ended with in `last` or `thrown`, and returns the next step.
void by_steps(auto& call, world& w, auto const& attempt) {
  std::exception_ptr thrown;
  std::optional<answer> last;
  w.ends([&] {
    auto next = call.begin();
    while (next != next_step::finished) {
      if (next == next_step::attempt) {
        if (w.stop.requested) {
          EXPECT_EQ(call.request_stop(), next_step::attempt);
        }
        thrown = nullptr;
        next = attempt(last, thrown);
      } else {
        EXPECT_EQ(call.wait_ends_at(), w.clock.peek() + call.wait());
        w.wait(call.wait());
        next = w.sees_stop() ? call.request_stop() : call.on_wait_over();
      }
    }
    w.check(call.reason(), call.attempts());
    EXPECT_EQ(call.on_wait_over(), next_step::finished);
    EXPECT_EQ(call.request_stop(), next_step::finished);
    EXPECT_EQ(call.begin(), next_step::finished);
    if (call.attempts() == 0) throw anew::call_refused{call.reason()};
    if (thrown) std::rethrow_exception(thrown);
    return *last;
  });
}

/// Makes the attempt that the call describes, and keeps what it ends with.
void make_attempt(auto& call, world& w, std::optional<answer>& last, std::exception_ptr& thrown) {
  auto parts = call.current();
  parts.stop = {&w.stop, [](void const* of) { return static_cast<flag_stop::state const*>(of)->requested.load(); }};
  try {
    last = w.attempt(anew::attempt{parts});
  } catch (broke const& /*part*/) {
    throw;
  } catch (...) {
    thrown = std::current_exception();
  }
}

/// A driver that somebody wrote on call_engine, with catch_for around its attempts.
struct engine {
  static bool plays(story const& s) {
    bool const breaks_in_the_constructor = std::string_view{s.with.breaks} == "begin";
    return s.where != in::nested && !sleeper_throws(s) && !stops_before_first(s) && !breaks_in_the_constructor;
  }
  template <class S>
  static void play(S const& strategy, world& w) {
    if constexpr (!is_nested<S>) {
      declare(strategy, w, [&](auto const& op) { call(strategy, w, op); });
    }
  }
  template <class S, class Op>
  static void call(S const& strategy, world& w, Op const& op) {
    anew::call_engine call{strategy, op};
    flag_stop const token{w.stop};
    by_steps(call, w, [&](auto& last, auto& thrown) {
      std::optional<typename decltype(call)::result_type> result;
      bool const is_limited = call.attempt_timeout() < duration::max();
      EXPECT_TRUE(call.limits_attempts || !is_limited);
      auto next = next_step::finished;
      auto const stop = [&] {
        if (w.stop.requested) {
          EXPECT_EQ(call.request_stop(), next_step::attempt);
        }
      };
      try {
        bool const returned = anew::catch_for<S>(
            [&] {
              last = result.emplace(call.start(token));
              return true;
            },
            [&](auto const& /*error*/) {
              thrown = std::current_exception();
              stop();
              next = call.on_exception(thrown);
              return next != next_step::finished;
            },
            [] { return false; });
        if (!returned) return next;
      } catch (broke const& /*part*/) {
        throw;
      } catch (...) {
        EXPECT_EQ(thrown, std::current_exception()) << "the last exception leaves as it was thrown";
        return next;
      }
      stop();
      return call.on_outcome(*result);
    });
  }
};

/// The machine is told errors, verdicts and successes, not results, and never calls the operation.
struct machine {
  static bool plays(story const& s) {
    return engine::plays(s) && s.with.is != how::rewound && s.with.is != how::valued;
  }
  template <anew::declared As, class S>
  static void play_as(S const& strategy, world& w) {
    anew::retry_machine call{strategy, anew::call_declaration<As>{}};
    by_steps(call, w, [&](auto& last, auto& thrown) {
      make_attempt(call, w, last, thrown);
      if (w.stop.requested) {
        EXPECT_EQ(call.request_stop(), next_step::attempt);
      }
      if (thrown) return call.on_exception(thrown);
      if (!last->failed) return last->at % 2 == 0 ? call.on_success() : call.on_verdict(directive::succeed());
      bool const is_plain = *w.of.with.breaks == '\0' && !last->failed->verdict.is_success() && last->at % 2 == 0;
      return is_plain ? call.on_verdict(last->failed->verdict) : call.on_error(*last->failed);
    });
  }
  template <class S>
  static void play(S const& strategy, world& w) {
    if constexpr (!is_nested<S>) {
      if constexpr (is_told<S>) {
        if (w.of.with.is == how::undeclared) return play_as<anew::declared::nothing>(strategy, w);
        if (w.of.with.is == how::once) return play_as<anew::declared::one_shot>(strategy, w);
      }
      play_as<anew::declared::idempotent>(strategy, w);
    }
  }
};

template <>
inline constexpr bool tells_errors<machine> = false;

}  // namespace support::stories

#endif
