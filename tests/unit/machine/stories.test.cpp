// SPDX-License-Identifier: BSL-1.0
// What happens in a call whose loop is the caller's, step by step: the stories of stories/table.hpp.
#include <gtest/gtest.h>

#include "stories/steps.hpp"

namespace machine_stories_test {
namespace {

using namespace support::stories;

TEST(MachineStories, OfAnEngine) { EXPECT_GT(play_all<engine>(), 140); }
TEST(MachineStories, OfAMachine) { EXPECT_GT(play_all<machine>(), 140); }
TEST(MachineStories, OfAnEngineThatNobodyWrote) { EXPECT_GT(play_random<engine>(), 2'000); }
TEST(MachineStories, OfAMachineThatNobodyWrote) { EXPECT_GT(play_random<machine>(), 1'500); }

}  // namespace
}  // namespace machine_stories_test
