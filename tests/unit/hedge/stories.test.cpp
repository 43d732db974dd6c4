// SPDX-License-Identifier: BSL-1.0
// A hedged call that sends no hedges is a retry: the stories of stories/table.hpp.
#include <exception>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include "anew/hedge.hpp"

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

TEST(HedgeStories, WithoutHedges) { EXPECT_GT(play_all<without_hedges>(), 90); }
TEST(HedgeStories, WithoutHedgesThatNobodyWrote) { EXPECT_GT(play_random<without_hedges>(), 700); }

}  // namespace
}  // namespace hedge_stories_test
