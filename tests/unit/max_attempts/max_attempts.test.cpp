// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/max_attempts/max_attempts.hpp"

#include "rejection.hpp"

namespace max_attempts_max_attempts_test {
namespace {

using anew::max_attempts;

/// How many attempts a call makes that never succeeds.
template <class Strategy>
std::uint32_t attempts_of(Strategy const& s) {
  std::uint32_t attempts = 1;
  auto next = s.refresh_retry_token(s.acquire_initial_token(), anew::failure{});
  while (next) {
    ++attempts;
    EXPECT_EQ(next->attempt(), attempts);
    next = s.refresh_retry_token(*std::move(next), anew::failure{});
  }
  EXPECT_EQ(next.reason(), anew::stop_reason::attempts);
  return attempts;
}

template <std::int64_t N>
using limited = anew::strategy<max_attempts<N>, anew::no_backoff>;

TEST(MaxAttempts, NAttemptsAreNCalls) {
  EXPECT_EQ(attempts_of(limited<1>{}), 1U);
  EXPECT_EQ(attempts_of(limited<2>{}), 2U);
  EXPECT_EQ(attempts_of(limited<3>{}), 3U);
  EXPECT_EQ(attempts_of(limited<4>{}), 4U);
  EXPECT_EQ(attempts_of(limited<5>{}), 5U);
  for (int n = 1; n <= 5; ++n) {
    EXPECT_EQ(attempts_of(anew::compose(max_attempts{n}, anew::no_backoff{})), static_cast<std::uint32_t>(n));
  }
  EXPECT_EQ(attempts_of(anew::compose(anew::no_backoff{})), 3U);
  EXPECT_EQ(attempts_of(anew::never{}), 1U);
}

TEST(MaxAttempts, PermitsAnotherWhileFewerWereMade) {
  for (std::uint32_t made = 1; made <= 6; ++made) {
    EXPECT_EQ(max_attempts<1>{}.permits_another(made), made < 1);
    EXPECT_EQ(max_attempts<5>{}.permits_another(made), made < 5);
    EXPECT_EQ(max_attempts{5}.permits_another(made), made < 5);
  }
}

TEST(MaxAttempts, TheLargestNumbers) {
  max_attempts<4294967295> const fixed;
  max_attempts const chosen{std::uint64_t{4294967295}};
  EXPECT_TRUE(fixed.permits_another(4294967294U));
  EXPECT_FALSE(fixed.permits_another(4294967295U));
  EXPECT_TRUE(chosen.permits_another(4294967294U));
  EXPECT_FALSE(chosen.permits_another(4294967295U));
  EXPECT_EQ(fixed.value(), 4294967295U);
}

TEST(MaxAttempts, IsSoundBetweenOneAndTheLargest) {
  static_assert(max_attempts<1>::is_sound && !max_attempts<0>::is_sound && !max_attempts<-1>::is_sound);
  static_assert(max_attempts<4294967295>::is_sound && !max_attempts<4294967296>::is_sound);
  static_assert(!max_attempts<std::numeric_limits<std::int64_t>::max()>::is_sound);
  static_assert(decltype(max_attempts{1})::is_sound);
}

TEST(MaxAttempts, DescribesItself) {
  EXPECT_EQ(max_attempts<3>{}.describe(), "max_attempts(3)");
  EXPECT_EQ(max_attempts{12}.describe(), "max_attempts(12)");
}

TEST(MaxAttempts, RefusesWhatIsNoNumberOfAttempts) {
  EXPECT_REJECTED(max_attempts{0}, "anew::max_attempts: attempts must be between 1 and 4294967295, but is 0");
  EXPECT_REJECTED(max_attempts{0U}, "anew::max_attempts: attempts must be between 1 and 4294967295, but is 0");
  EXPECT_REJECTED(max_attempts{-1}, "anew::max_attempts: attempts must be between 1 and 4294967295, but is -1");
  EXPECT_REJECTED(max_attempts{std::int64_t{4294967296}},
                  "anew::max_attempts: attempts must be between 1 and 4294967295, but is 4294967296");
  EXPECT_REJECTED(max_attempts{std::int64_t{4294967297}},  // 1 when cut to 32 bits
                  "anew::max_attempts: attempts must be between 1 and 4294967295, but is 4294967297");
  EXPECT_REJECTED(max_attempts{~std::uint64_t{0}},
                  "anew::max_attempts: attempts must be between 1 and 4294967295, but is 18446744073709551615");
}

}  // namespace
}  // namespace max_attempts_max_attempts_test
