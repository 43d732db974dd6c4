// SPDX-License-Identifier: BSL-1.0
// What happens in a call that blocks: the stories of stories/table.hpp, by retry() and by retry_outcome().
#include <exception>
#include <utility>

#include <gtest/gtest.h>

#include "anew/drivers/retry_outcome.hpp"

#include "stories/play.hpp"

namespace drive_stories_test {
namespace {

using namespace support::stories;

struct outcome {
  static bool plays(story const& /*s*/) { return true; }
  static void play(auto const& strategy, world& w) {
    auto const began = w.clock.peek();
    declare(strategy, w, [&](auto const& op) {
      w.ends([&]() -> answer {
        auto end = [&] {
          try {
            return anew::retry_outcome(strategy, op, story_sleep{&w}, flag_stop{w.stop});
          } catch (broke const& /*part*/) {
            throw;
          } catch (...) {
            ADD_FAILURE() << "an outcome keeps what the operation throws";
            throw;
          }
        }();
        w.check(end.reason(), end.attempts());
        EXPECT_EQ(end.elapsed(), w.clock.peek() - began);
        EXPECT_EQ(end.exception() != nullptr, !end.has_result());
        if (!end.has_result() && end.exception()) std::rethrow_exception(end.exception());
        return std::move(end).result();
      });
    });
  }
};

TEST(DriveStories, OfABlockingCall) { EXPECT_GT(play_all<blocking>(), 150); }
TEST(DriveStories, OfAnOutcome) { EXPECT_GT(play_all<outcome>(), 150); }
TEST(DriveStories, OfAnOutcomeThatNobodyWrote) { EXPECT_EQ(play_random<outcome>(), 3'000); }

}  // namespace
}  // namespace drive_stories_test
