// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "anew/run_time/virtual/retry_token.hpp"

namespace virtual_token_room_test {
namespace {

#if ANEW_THREADS_DESTROY
using blocks = anew::detail::spare_blocks<128>;

TEST(VirtualTokenRoom, ABlockIsUsedAgain) {
  void* const one = blocks::take();
  void* const other = blocks::take();
  EXPECT_NE(one, other);
  blocks::give_back(one);
  EXPECT_EQ(blocks::take(), one);
  blocks::give_back(other);
  blocks::give_back(one);
  EXPECT_EQ(blocks::take(), one) << "the last one first: it is still in the cache";
  EXPECT_EQ(blocks::take(), other);
  blocks::give_back(one);
  blocks::give_back(other);
}

TEST(VirtualTokenRoom, SizesDoNotMix) {
  void* const small = blocks::take();
  blocks::give_back(small);
  void* const large = anew::detail::spare_blocks<256>::take();
  EXPECT_NE(large, small);
  anew::detail::spare_blocks<256>::give_back(large);
}

TEST(VirtualTokenRoom, BeyondTheMostThatAreKeptBlocksGoBackToTheHeap) {
  std::vector<void*> taken;
  for (unsigned i = 0; i < 3 * blocks::most; ++i) taken.push_back(blocks::take());
  std::sort(taken.begin(), taken.end());
  EXPECT_EQ(std::adjacent_find(taken.begin(), taken.end()), taken.end()) << "a block was handed out twice";
  for (void* block : taken) blocks::give_back(block);
  EXPECT_EQ(blocks::kept(), blocks::most);
  // A leak, or one that is freed twice, is for the sanitizers to see.
}

TEST(VirtualTokenRoom, ABlockMayComeBackInAnotherThreadAndAfterIt) {
  void* block = blocks::take();
  std::thread{[&] { blocks::give_back(block); }}.join();
  std::thread{[&] { block = blocks::take(); }}.join();
  blocks::give_back(block);
}

/// Destroyed at the end of its thread, after the list of spare blocks where it was made before that.
struct late {
  void* block = nullptr;
  ~late() {
    if (block != nullptr) blocks::give_back(block);
  }
};

TEST(VirtualTokenRoom, ABlockMayComeBackAtTheEndOfItsThread) {
  std::thread{[] {
    static thread_local late last;
    last.block = blocks::take();
    blocks::give_back(blocks::take());
  }}.join();
}
#else
// No block is kept where a thread cannot free it.
static_assert(!anew::detail::is_kept_spare<128, 8> && !anew::detail::is_kept_spare<16, 1>);
#endif

TEST(VirtualTokenRoom, WhatIsLargeOrNotMovedByItsBytesIsElsewhere) {
  using anew::detail::stays_in_token;
  struct fits {
    unsigned char bytes[anew::detail::token_room];
  };
  struct does_not {
    unsigned char bytes[anew::detail::token_room + 1];
  };
  struct alignas(16) wide {
    unsigned char byte;
  };
  static_assert(stays_in_token<fits> && stays_in_token<int>);
  static_assert(!stays_in_token<does_not> && !stays_in_token<wide> && !stays_in_token<std::string>);
}

}  // namespace
}  // namespace virtual_token_room_test
