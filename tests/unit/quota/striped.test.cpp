// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/quota/striped.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/sharing/shared.hpp"

#include "together.hpp"

namespace quota_striped_test {

using anew::error_kind;
using anew::failure;
using anew::payment;
using anew::refund;
using anew::retry_costs;
using anew::striped;
using anew::token_bucket;

constexpr failure transient{.kind = error_kind::transient};

TEST(Striped, PlaysTheRoleOfItsPolicy) {
  static_assert(anew::Quota<striped<token_bucket<500>>>);
  static_assert(std::is_same_v<striped<token_bucket<500>>::permit_type, std::uint32_t>);
  static_assert(!std::is_copy_constructible_v<striped<token_bucket<500>>>);
  static_assert(sizeof(striped<token_bucket<500>>) == 640);
  static_assert(sizeof(striped<token_bucket<500>, 2>) == 256);
  EXPECT_EQ(striped<token_bucket<500>>{}.describe(), "striped(token_bucket(500))");
}

TEST(Striped, TakesValuesKnownAtRunTime) {
  striped const bucket{token_bucket{70}};
  EXPECT_EQ(bucket.policy().capacity(), 70U);
  EXPECT_EQ(bucket.policy().balance(), 70U);
  striped<token_bucket<anew::run_time_count>, 3> const half{70, retry_costs{}, 35};
  EXPECT_EQ(half.policy().balance(), 35U);
}

TEST(Striped, ACallThroughAStrategyPaysAndIsPaidBack) {
  anew::strategy<anew::retry_all, anew::no_backoff, striped<token_bucket<500>>> const s;
  int attempts = 0;
  EXPECT_EQ(anew::retry(s, [&] { return ++attempts == 3 ? std::optional{1} : std::nullopt; }), 1);
  EXPECT_EQ(s.quota().policy().balance(), 486U);
}

TEST(Striped, MovesItsTokensAndLeavesNone) {
  striped<token_bucket<500>> from;
  ASSERT_TRUE(from.policy().try_acquire(transient));
  for (int n = 0; n < 4; ++n) from.on_success(0);
  striped<token_bucket<500>> const to{std::move(from)};
  EXPECT_EQ(to.policy().balance(), 490U);
  EXPECT_EQ(from.policy().balance(), 0U);  // NOLINT(bugprone-use-after-move): its state is documented
  from.on_success(0);
  EXPECT_EQ(from.policy().balance(), 1U);
}

/// A bucket and its striped form, asked the same.
template <class Bucket, unsigned Stripes>
struct both {
  Bucket plain;
  striped<Bucket, Stripes> counted;

  void follow(std::uint32_t seed, int steps) {
    anew::generator dice{seed, 19};
    auto const shares_of_success = static_cast<std::uint32_t>(dice() % 1000);
    std::vector<std::uint32_t> out;
    for (int step = 0; step < steps; ++step) {
      if (dice() % 1000 < shares_of_success) {
        plain.on_success(0);
        counted.on_success(0);
      } else if (!out.empty() && dice() % 2 == 0) {
        auto const permit = out.back();
        out.pop_back();
        bool const succeeds = dice() % 2 == 0;
        succeeds ? plain.on_success(permit) : plain.release(permit);
        succeeds ? counted.on_success(permit) : counted.release(permit);
      } else {
        failure const what{.kind = static_cast<error_kind>(dice() % 5)};
        auto const permit = plain.try_acquire(what);
        ASSERT_EQ(permit, counted.try_acquire(what)) << "seed " << seed << ", step " << step;
        if (permit && dice() % 4 != 0) out.push_back(*permit);
      }
      ASSERT_EQ(plain.balance(), counted.policy().balance()) << "seed " << seed << ", step " << step;
    }
  }
};

TEST(Striped, DecidesAsThePlainBucket) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    both<token_bucket<500>, 8>{}.follow(seed, 4'000);
    both<token_bucket<20>, 1>{}.follow(seed, 4'000);
    both<token_bucket<50, retry_costs{}, refund::fraction(1, 3)>, 2>{}.follow(seed, 4'000);
    both<token_bucket<50, retry_costs{}, refund::fixed(3), payment::partial>, 8>{}.follow(seed, 4'000);
    both<token_bucket<4'294'967'295, retry_costs::all(4'294'967'295), refund::fixed(2'000'000'000)>, 8>{}.follow(seed,
                                                                                                                 4'000);
    both<token_bucket<0>, 8>{}.follow(seed, 400);
  }
}

// More successes than 32 bits can count: the stripes wrap, and nobody sees it.
TEST(Striped, CountsBeyond32Bits) {
  constexpr auto large = refund::fixed(10'000);
  token_bucket<100'000'000, retry_costs::all(50'000'000), large> const plain;
  striped<token_bucket<100'000'000, retry_costs::all(50'000'000), large>> const counted;
  for (int round = 0; round < 200; ++round) {
    ASSERT_EQ(plain.try_acquire(transient), counted.try_acquire(transient)) << round;
    for (int n = 0; n < 4'000; ++n) {
      plain.on_success(0);
      counted.on_success(0);
    }
    ASSERT_EQ(plain.balance(), counted.policy().balance()) << round;
  }
}

// Threads that end leave what they counted; threads that begin find a stripe.
TEST(Striped, NothingIsLostWhenAThreadEnds) {
  striped<token_bucket<4'000'000'000, retry_costs{.transient = 4'000'000'000}>> const bucket;
  ASSERT_TRUE(bucket.try_acquire(transient));
  for (int round = 0; round < 50; ++round) {
    support::together(4, [&](unsigned index) {
      for (unsigned n = 0; n < 1'000 + index; ++n) bucket.on_success(0);
    });
  }
  EXPECT_EQ(bucket.policy().balance(), 50U * 4006U);
}

TEST(Striped, NeverGrantsMoreThanWasEarned) {
  for (std::uint32_t round = 0; round < 100; ++round) {
    striped<token_bucket<1'000>> const bucket;
    std::vector<std::int64_t> spent(4);
    support::together(4, [&](unsigned index) {
      anew::generator dice{index, round};
      for (int n = 0; n < 2'000; ++n) {
        if (dice() % 8 != 0) {
          bucket.on_success(0);
          spent[index] -= 1;
        } else if (auto const permit = bucket.try_acquire(transient)) {
          spent[index] += *permit;
          if (dice() % 2 == 0) {
            bucket.release(*permit);
            spent[index] -= *permit;
          }
        }
      }
    });
    std::int64_t out = 0;
    for (auto const each : spent) out += each;
    EXPECT_LE(bucket.policy().balance(), 1'000U);
    EXPECT_LE(bucket.policy().balance() + out, 1'000) << "tokens from nowhere, round " << round;
  }
}

TEST(Striped, IsSharedByStrategies) {
  anew::shared<striped<token_bucket<28>>> const bucket{};
  EXPECT_TRUE(bucket.try_acquire(transient));
  EXPECT_TRUE(bucket.try_acquire(transient));
  EXPECT_FALSE(bucket.try_acquire(transient));
}

}  // namespace quota_striped_test
