// SPDX-License-Identifier: BSL-1.0
// What happens in a call that suspends: the stories of stories/table.hpp.
#include <gtest/gtest.h>

#include "anew/coroutine.hpp"

#include "coroutine_support.hpp"
#include "stories/play.hpp"

namespace coroutine_stories_test {
namespace {

using namespace support::stories;
using support::eager;

struct awaited_act {
  world* w;
  eager<answer> operator()(anew::attempt& self) const { co_return w->attempt(self); }
};
struct awaited_act_by_value {
  world* w;
  eager<value> operator()(anew::attempt& self) const { co_return act_by_value{w}(self); }
};

struct awaited {
  static bool plays(story const& s) { return s.where != in::nested && !stops_before_first(s); }
  template <class S>
  static void play(S const& strategy, world& w) {
    if constexpr (!is_nested<S>) {
      declare(strategy, w, awaited_act{&w}, awaited_act_by_value{&w}, [&](auto const& op) {
        support::manual_loop loop{w.clock};
        auto const sleep = [&](duration delay) -> eager<> {
          w.wait(delay);
          co_await loop.after(duration::zero());  // suspended, and resumed by the loop
        };
        w.ends([&]() -> answer {
          auto call = anew::retry(strategy, op, sleep, flag_stop{w.stop});
          loop.run();
          return call.get();
        });
      });
    }
  }
};

TEST(CoroutineStories, OfAnAwaitedCall) { EXPECT_GT(play_all<awaited>(), 140); }
TEST(CoroutineStories, OfAnAwaitedCallThatNobodyWrote) { EXPECT_GT(play_random<awaited>(), 2'000); }

}  // namespace
}  // namespace coroutine_stories_test
