// SPDX-License-Identifier: BSL-1.0
// What happens in a call whose strategy is chosen at run time: the stories of stories/table.hpp.
#include <gtest/gtest.h>

#include "stories/view.hpp"

namespace virtual_stories_test {
namespace {

using namespace support::stories;

TEST(VirtualStories, OfAView) { EXPECT_GT(play_all<view>(), 150); }
TEST(VirtualStories, OfAViewThatNobodyWrote) { EXPECT_GT(play_random<view>(), 2'000); }

}  // namespace
}  // namespace virtual_stories_test
