// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/seeded_random.hpp"

namespace testing_scripted_random_test {
namespace {

using namespace std::chrono_literals;
using anew::testing::highest_word;
using anew::testing::lowest_word;
using anew::testing::middle_word;
using anew::testing::scripted_random;
using anew::testing::seeded_random;

static_assert(anew::RandomSourcePolicy<scripted_random> && anew::RandomSourcePolicy<seeded_random>);

TEST(ScriptedRandom, ReplaysItsWordsAndRepeatsTheLast) {
  scripted_random const random{3, 1, 2};
  EXPECT_EQ(random(), 3U);
  EXPECT_EQ(random(), 1U);
  EXPECT_EQ(random(), 2U);
  EXPECT_EQ(random(), 2U);
  EXPECT_EQ(random.calls(), 4U);
}

TEST(ScriptedRandom, TakesAVector) {
  std::vector<std::uint64_t> const words{7, 8};
  scripted_random const random{words};
  EXPECT_EQ(random(), 7U);
  EXPECT_EQ(random(), 8U);
}

TEST(ScriptedRandom, WithoutWordsDrawsTheMiddle) {
  EXPECT_EQ(scripted_random{}(), middle_word);
  EXPECT_EQ(scripted_random{std::vector<std::uint64_t>{}}(), middle_word);
}

TEST(ScriptedRandom, CopiesShareTheScriptAndTheCount) {
  scripted_random const random{1, 2, 3};
  auto const copy = random;
  EXPECT_EQ(copy(), 1U);
  EXPECT_EQ(random(), 2U);
  EXPECT_EQ(copy(), 3U);
  EXPECT_EQ(random.calls(), 3U);
  EXPECT_EQ(copy.calls(), 3U);
}

TEST(ScriptedRandom, TheNamedWordsDrawTheEndsAndTheMiddle) {
  scripted_random const ends{lowest_word, middle_word, highest_word};
  EXPECT_EQ(anew::random_up_to(10s, ends), 0s);
  EXPECT_EQ(anew::random_up_to(10s, ends), 5s);
  EXPECT_EQ(anew::random_up_to(10s, ends), 10s);
}

TEST(SeededRandom, IsTheStandardGenerator) {
  seeded_random const random{42};
  std::mt19937_64 engine{42};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random(), static_cast<std::uint64_t>(engine()));
}

TEST(SeededRandom, CopiesShareOneSequence) {
  seeded_random const random{42};
  auto const copy = random;
  std::mt19937_64 engine{42};
  EXPECT_EQ(random(), static_cast<std::uint64_t>(engine()));
  EXPECT_EQ(copy(), static_cast<std::uint64_t>(engine()));
}

TEST(SeededRandom, ThreadsShareItWithoutDrawingTheSame) {
  seeded_random const random{7};
  std::vector<std::vector<std::uint64_t>> drawn(4);
  std::vector<std::thread> threads;
  for (auto& mine : drawn) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1'000; ++i) mine.push_back(random());
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<std::uint64_t> together;
  for (auto const& mine : drawn) together.insert(mine.begin(), mine.end());
  std::set<std::uint64_t> expected;
  std::mt19937_64 engine{7};
  for (int i = 0; i < 4'000; ++i) expected.insert(static_cast<std::uint64_t>(engine()));
  EXPECT_EQ(together, expected);
}

TEST(ScriptedRandom, Describes) {
  EXPECT_EQ(scripted_random::describe(), "scripted_random");
  EXPECT_EQ(seeded_random::describe(), "seeded_random");
}

}  // namespace
}  // namespace testing_scripted_random_test
