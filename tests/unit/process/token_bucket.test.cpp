// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/compose/snapshot.hpp"
#include "anew/process/token_bucket.hpp"
#include "anew/sharing/shared.hpp"

#include "process_support.hpp"
#include "rejection.hpp"

namespace process_token_bucket_test {
namespace {

using anew::failure;
using anew::process::token_bucket;
using support::in_a_child;
using support::place_of_its_own;

static_assert(anew::Quota<token_bucket> && anew::Quota<anew::shared<token_bucket>>);
static_assert(!std::is_default_constructible_v<token_bucket> && std::is_copy_constructible_v<token_bucket>);
static_assert(sizeof(token_bucket) == 2 * sizeof(void*));

TEST(ProcessTokenBucket, IsSpentByAllProcesses) {
  place_of_its_own const place;
  token_bucket const bucket{place.path(), 42};
  auto const retries = [](token_bucket const& of, int attempts) {
    int made = -1;
    auto const s = anew::compose(of, anew::no_backoff{}, anew::retry_all{}, anew::max_attempts{attempts});
    static_cast<void>(anew::retry(s, [&] {
      ++made;
      return false;
    }));
    return made;
  };
  EXPECT_EQ(retries(bucket, 2), 1);
  EXPECT_EQ(in_a_child([&] { return retries(token_bucket{place.path(), 42}, 2); }), 1);  // by its name
  EXPECT_EQ(in_a_child([&] { return retries(bucket, 9); }), 1);                          // by its parent's handle
  EXPECT_EQ(retries(bucket, 9), 0);
  EXPECT_EQ(bucket.balance(), 0U);
  EXPECT_EQ(in_a_child([&] {
              for (int i = 0; i < 50; ++i) bucket.on_success({});
              return 0;
            }),
            0);
  EXPECT_EQ(bucket.balance(), 42U);
}

TEST(ProcessTokenBucket, ASnapshotOmitsWhatItsFileKeeps) {
  place_of_its_own const place;
  auto const s = anew::compose(token_bucket{place.path(), 42}, anew::retry_all{});
  EXPECT_TRUE(anew::snapshot(s, anew::time_point{}).parts().empty());
}

TEST(ProcessTokenBucket, DecidesAsThePlainOne) {
  constexpr anew::retry_costs costs{.transient = 7, .throttling = 3};
  constexpr auto back = anew::refund::fraction(1, 3);
  place_of_its_own const place;
  token_bucket const bucket{place.path(), 100, costs, back, anew::payment::partial};
  anew::token_bucket const plain{100, costs, back, anew::payment::partial};
  anew::generator dice{1, 1};
  for (int i = 0; i < 10'000; ++i) {
    failure const f{dice() % 2 == 0 ? anew::error_kind::transient : anew::error_kind::throttling};
    switch (dice() % 3) {
      case 0: ASSERT_EQ(bucket.try_acquire(f), plain.try_acquire(f)); break;
      case 1:
        bucket.on_success({});
        plain.on_success({});
        break;
      default: bucket.release(9); plain.release(9);
    }
    ASSERT_EQ(bucket.balance(), plain.balance());
  }
  EXPECT_EQ(bucket.capacity(), 100U);
}

TEST(ProcessTokenBucket, WhatAKilledProcessPaidIsSpent) {
  place_of_its_own const place;
  token_bucket const bucket{place.path(), 42};
  support::waiting_child caller{[&] {
    token_bucket const there{place.path(), 42};
    return there.try_acquire(failure{}) ? 1 : 0;
  }};
  ASSERT_EQ(caller.answer(), 1);
  caller.kill();
  EXPECT_EQ(bucket.balance(), 28U);
  for (int i = 0; i < 14; ++i) bucket.on_success({});
  EXPECT_EQ(bucket.balance(), 42U);
}

TEST(ProcessTokenBucket, CopiesAreOneBucket) {
  place_of_its_own const place;
  token_bucket const bucket{place.path(), 42};
  token_bucket copy{bucket};
  static_cast<void>(copy.try_acquire(failure{}));
  EXPECT_EQ(bucket.balance(), 28U);
  place_of_its_own const elsewhere;
  copy = token_bucket{elsewhere.path(), 14};
  EXPECT_EQ(copy.balance(), 14U);
  EXPECT_EQ(bucket.balance(), 28U);
  EXPECT_EQ(bucket.describe(), "process(" + place.path() + ",token_bucket(42))");
  EXPECT_EQ(bucket.path(), place.path());
}

TEST(ProcessTokenBucket, LongestTextFits) {
  place_of_its_own const place;
  constexpr std::uint32_t most = 4'294'967'295;
  token_bucket const bucket{place.path(), most, anew::retry_costs::all(most), anew::refund{most, 1, false},
                            anew::payment::partial};
  EXPECT_EQ(bucket.capacity(), most);
  EXPECT_LT(bucket.describe().size() - place.path().size(), anew::detail::quota_file::text_size);
}

TEST(ProcessTokenBucket, NumbersOfNoBucketAreRefused) {
  place_of_its_own const place;
  EXPECT_REJECTED((token_bucket{place.path(), 13}),
                  "anew::token_bucket: capacity must be 0 or at least the cost of one retry, but is 13 (cost 14)");
}

// A balance above the capacity pays for no more than it says, and is not refilled.
TEST(ProcessTokenBucket, ContentsAreNotTrusted) {
  place_of_its_own const place;
  token_bucket const bucket{place.path(), 42};
  anew::detail::quota_mapping const other{place.path(), "token_bucket(42)", 0, anew::detail::all_kept_files()};
  *static_cast<std::uint32_t*>(other.body()) = 0xFFFF'FFFF;
  EXPECT_TRUE(bucket.try_acquire(failure{}));
  bucket.on_success(14);
  EXPECT_EQ(bucket.balance(), 0xFFFF'FFFFU - 14);
}

}  // namespace
}  // namespace process_token_bucket_test
