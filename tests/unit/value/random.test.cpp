// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/random_source.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/statistics.hpp"

#include "names.hpp"

namespace value_random_test {
namespace {

using anew::generator, anew::random_up_to;

// The reference implementation of splitmix64 (Vigna, 2015), from state 0.
TEST(Splitmix, GivesTheWordsOfTheReferenceImplementation) {
  EXPECT_EQ(anew::detail::splitmix(0), 0xe220a8397b1dcdafU);
  EXPECT_EQ(anew::detail::splitmix(0x9e3779b97f4a7c15U), 0x6e789e6aa1b965f4U);
  EXPECT_EQ(anew::detail::splitmix(2 * 0x9e3779b97f4a7c15U), 0x06c45d188009454fU);
}

// xoroshiro128++ 1.0 as published by its authors, written down again from their description.
class published {
 public:
  published(std::uint64_t a, std::uint64_t b) : s_{a, b} {}
  std::uint64_t operator()() {
    auto const rotl = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
    std::uint64_t const s0 = s_[0];
    std::uint64_t s1 = s_[1];
    std::uint64_t const result = rotl(s0 + s1, 17) + s0;
    s1 ^= s0;
    s_[0] = rotl(s0, 49) ^ s1 ^ (s1 << 21);
    s_[1] = rotl(s1, 28);
    return result;
  }

 private:
  std::uint64_t s_[2];
};

TEST(Generator, IsTheOneThatItSaysItIs) {
  // The words of the last but one have no bit in common, and are not zero: nothing is to be mended.
  for (std::uint64_t seed : {0ULL, 1ULL, 42ULL, 84'572'295ULL, ~0ULL}) {
    for (std::uint64_t stream : {0ULL, 7ULL, ~0ULL}) {
      generator ours{seed, stream};
      published theirs{anew::detail::splitmix(seed ^ anew::detail::splitmix(stream)),
                       anew::detail::splitmix(~seed + stream)};
      for (int i = 0; i < 1000; ++i) ASSERT_EQ(ours(), theirs());
    }
  }
}

TEST(Generator, IsUsableByTheStandardLibrary) {
  static_assert(std::uniform_random_bit_generator<generator>);
  static_assert(generator::min() == 0 && generator::max() == ~std::uint64_t{0});
  generator random{3};
  std::uniform_int_distribution<int> die{1, 6};
  for (int i = 0; i < 100; ++i) {
    int const eyes = die(random);
    EXPECT_TRUE(eyes >= 1 && eyes <= 6);
  }
}

TEST(Generator, IsAConstantExpression) {
  constexpr auto third = [] {
    generator random{5, 6};
    random();
    random();
    return random();
  }();
  generator random{5, 6};
  random();
  random();
  EXPECT_EQ(random(), third);
}

TEST(Generator, SameSeedAndStreamGiveTheSameSequence) {
  generator a{11, 12};
  generator b{11, 12};
  for (int i = 0; i < 100; ++i) ASSERT_EQ(a(), b());
}

TEST(Generator, NeighbouringSeedsAndStreamsGiveUnrelatedSequences) {
  std::set<std::uint64_t> words;
  int drawn = 0;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    for (std::uint64_t stream = 0; stream < 32; ++stream) {
      generator random{seed, stream};
      for (int i = 0; i < 16; ++i, ++drawn) words.insert(random());
    }
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(drawn));
}

// The n-th words of generators that were seeded one after the other are as uniform as one generator's.
TEST(Generator, IsUniformAlongASequenceAndAcrossStreams) {
  constexpr std::size_t n = 20'000;
  std::vector<double> along;
  std::vector<double> across;
  generator random{2026};
  for (std::size_t i = 0; i < n; ++i) {
    along.push_back(static_cast<double>(random()) * 0x1p-64);
    across.push_back(static_cast<double>(generator{2026, i}()) * 0x1p-64);
  }
  EXPECT_LT(anew::testing::ks_distance(along, anew::testing::uniform_cdf(0, 1)), anew::testing::ks_critical(n));
  EXPECT_LT(anew::testing::ks_distance(across, anew::testing::uniform_cdf(0, 1)), anew::testing::ks_critical(n));
}

TEST(RandomUpTo, ReachesBothEndsAndNothingBeyond) {
  for (duration const bound : {1ns, 2ns, 3ns, duration{50ms}, duration{20s}, duration::max()}) {
    anew::testing::scripted_random low{anew::testing::lowest_word};
    anew::testing::scripted_random high{anew::testing::highest_word};
    EXPECT_EQ(random_up_to(bound, low), 0ns);
    EXPECT_EQ(random_up_to(bound, high), bound);
  }
}

TEST(RandomUpTo, MapsTheWordsInOrder) {
  anew::testing::scripted_random quarter{std::uint64_t{1} << 62U};
  anew::testing::scripted_random half{anew::testing::middle_word};
  EXPECT_EQ(random_up_to(99ns, quarter), 25ns);
  EXPECT_EQ(random_up_to(99ns, half), 50ns);
  EXPECT_EQ(random_up_to(duration::max(), half), duration{std::int64_t{1} << 62U});
}

TEST(RandomUpTo, EveryValueOfASmallRangeIsAsLikely) {
  generator random{9};
  std::vector<int> counts(4, 0);
  for (int i = 0; i < 40'000; ++i) ++counts[static_cast<std::size_t>(random_up_to(3ns, random).count())];
  for (int const count : counts) EXPECT_NEAR(count, 10'000, 4 * 87);  // sd: sqrt(40000 * 1/4 * 3/4) = 86.6
}

TEST(RandomUpTo, DrawsOneNumberAndNoneForNoChoice) {
  anew::testing::scripted_random random{anew::testing::highest_word};
  EXPECT_EQ(random_up_to(0ns, random), 0ns);
  EXPECT_EQ(random_up_to(-1ns, random), 0ns);
  EXPECT_EQ(random_up_to(duration::min(), random), 0ns);
  EXPECT_EQ(random.calls(), 0U);
  static_cast<void>(random_up_to(1ns, random));
  EXPECT_EQ(random.calls(), 1U);
  static_cast<void>(random_up_to(duration::max(), random));
  EXPECT_EQ(random.calls(), 2U);
}

TEST(ThreadRandom, GoesOnWhereItStopped) {
  std::set<std::uint64_t> words;
  for (int i = 0; i < 1000; ++i) words.insert(anew::thread_random{}());
  EXPECT_EQ(words.size(), 1000U);
}

TEST(ThreadRandom, IsUniform) {
  constexpr std::size_t n = 20'000;
  std::vector<double> sample;
  // Not the same numbers in every run, so the bound is one that chance passes once in 10^9 runs.
  for (std::size_t i = 0; i < n; ++i) sample.push_back(static_cast<double>(anew::thread_random{}()) * 0x1p-64);
  EXPECT_LT(anew::testing::ks_distance(sample, anew::testing::uniform_cdf(0, 1)), 2 * anew::testing::ks_critical(n));
}

}  // namespace
}  // namespace value_random_test
