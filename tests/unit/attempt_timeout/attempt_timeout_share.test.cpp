// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/attempt_timeout/attempt_timeout_share.hpp"
#include "anew/compose/strategy.hpp"
#include "anew/deadline/deadline.hpp"
#include "anew/deadline/max_wait.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/max_attempts/unbounded.hpp"

#include "rejection.hpp"

namespace attempt_timeout_attempt_timeout_share_test {
namespace {

using namespace std::chrono_literals;
using anew::attempt_timeout_share;
using anew::deadline;
using anew::duration;
using anew::rational;
using anew::unbounded;

using half = attempt_timeout_share<rational{1, 2}>;
using chosen = decltype(attempt_timeout_share{rational{1, 2}});
constexpr std::uint32_t most = 4294967295;

static_assert(anew::AttemptTimeout<half> && anew::AttemptTimeout<chosen>);
static_assert(std::is_empty_v<half> && sizeof(chosen) == 8);
static_assert(std::is_same_v<half, attempt_timeout_share<rational{50, 100}>>);

TEST(AttemptTimeoutShare, IsThatPartOfWhatRemains) {
  EXPECT_EQ(half{}.of(1s), 500ms);
  EXPECT_EQ(half{}.of(500ms), 250ms);
  EXPECT_EQ((attempt_timeout_share<rational{2, 3}>{}.of(3s)), 2s);
  EXPECT_EQ(attempt_timeout_share<rational{1}>{}.of(1s), 1s);
  EXPECT_EQ(attempt_timeout_share<rational{1}>{}.of(1ns), 1ns);
}

TEST(AttemptTimeoutShare, IsNothingOnlyWhenNothingRemains) {
  EXPECT_EQ(half{}.of(3ns), 2ns);
  EXPECT_EQ(half{}.of(2ns), 1ns);
  EXPECT_EQ(half{}.of(1ns), 1ns);
  EXPECT_EQ((attempt_timeout_share<rational{1, most}>{}.of(1ns)), 1ns);
  EXPECT_EQ((attempt_timeout_share<rational{1, 3}>{}.of(4ns)), 2ns);
  EXPECT_EQ(half{}.of(0ns), 0ns);
  EXPECT_EQ(half{}.of(-1ns), 0ns);
  EXPECT_EQ(half{}.of(duration::min()), 0ns);
}

TEST(AttemptTimeoutShare, IsNoLimitWithoutAnEnd) {
  EXPECT_EQ(half{}.of(duration::max()), duration::max());
  EXPECT_EQ(half{}.of(duration::max() - 1ns), duration{duration::max().count() / 2});
}

TEST(AttemptTimeoutShare, NeverOverflowsAndNeverPassesWhatRemains) {
  for (duration const remaining : {duration{1}, duration{1s}, duration{24h * 365}, duration::max() - 1ns}) {
    EXPECT_EQ((attempt_timeout_share<rational{most, most}>{}.of(remaining)), remaining);
    EXPECT_LE((attempt_timeout_share<rational{most - 1, most}>{}.of(remaining)), remaining);
    EXPECT_GT((attempt_timeout_share<rational{most - 1, most}>{}.of(remaining)), 0ns);
  }
}

TEST(AttemptTimeoutShare, ValuesOfTheTypeAndOfTheObjectAgree) {
  for (duration const remaining : {duration{0}, duration{1}, duration{7}, duration{1s}, duration::max()}) {
    EXPECT_EQ(half{}.of(remaining), (attempt_timeout_share{rational{1, 2}}.of(remaining)));
    EXPECT_EQ((attempt_timeout_share<rational{3, 7}>{}.of(remaining)),
              (attempt_timeout_share{rational{3, 7}}.of(remaining)));
    EXPECT_EQ(attempt_timeout_share<rational{1}>{}.of(remaining), (attempt_timeout_share{rational{1}}.of(remaining)));
  }
}

TEST(AttemptTimeoutShare, DescribesItself) {
  EXPECT_EQ(half{}.describe(), "attempt_timeout_share(1/2)");
  EXPECT_EQ(attempt_timeout_share<rational{1}>{}.describe(), "attempt_timeout_share(1)");
  EXPECT_EQ((attempt_timeout_share{rational{3, 4}}.describe()), "attempt_timeout_share(3/4)");
}

TEST(AttemptTimeoutShare, IsSoundUpToAWhole) {
  static_assert(half::is_sound && chosen::is_sound && attempt_timeout_share<rational{1}>::is_sound);
  static_assert(attempt_timeout_share<rational{most, most}>::is_sound &&
                attempt_timeout_share<rational{1, most}>::is_sound);
  static_assert(!attempt_timeout_share<rational{0, 1}>::is_sound);
  static_assert(!attempt_timeout_share<rational{2}>::is_sound && !attempt_timeout_share<rational{3, 2}>::is_sound);
  static_assert(!attempt_timeout_share<rational{0}>::is_sound && !attempt_timeout_share<rational{1, 0}>::is_sound);
  static_assert(std::is_default_constructible_v<half> && !std::is_default_constructible_v<chosen>);
  static_assert(!std::is_constructible_v<half, rational> && !std::is_convertible_v<rational, chosen>);
}

TEST(AttemptTimeoutShare, RefusesWhatIsNoShare) {
  EXPECT_REJECTED((attempt_timeout_share{rational{0, 2}}),
                  "anew::attempt_timeout_share: share must be above 0 and at most 1, but is 0");
  EXPECT_REJECTED((attempt_timeout_share{rational{3, 2}}),
                  "anew::attempt_timeout_share: share must be above 0 and at most 1, but is 3/2");
  EXPECT_REJECTED((attempt_timeout_share{rational{0, 0}}),
                  "anew::attempt_timeout_share: share must be above 0 and at most 1, but is 0/0");
  EXPECT_REJECTED((attempt_timeout_share{rational{1, 0}}),
                  "anew::attempt_timeout_share: share must be above 0 and at most 1, but is 1/0");
}

// A part of a deadline comes with one, whoever has the deadline, and in whatever order.

static_assert(!anew::Composable<half> && !anew::Composable<chosen> && !anew::Composable<half, unbounded>);
static_assert(anew::Composable<half, deadline<1s>, unbounded> && anew::Composable<unbounded, deadline<1s>, half>);
static_assert(anew::Composable<half, anew::max_wait<1s>, unbounded>);
static_assert(!anew::Composable<half, deadline<1s>>);        // and how many attempts?
static_assert(!anew::Composable<half, half, deadline<1s>>);  // two of a role
static_assert(!anew::Composable<half, anew::roles::absent<anew::roles::deadline>, unbounded>);

using bounded = anew::strategy<deadline<1s>, unbounded>;
static_assert(std::is_same_v<anew::with<bounded, half>, anew::strategy<half, deadline<1s>, unbounded>>);
static_assert(std::is_same_v<anew::with<anew::strategy<>, half, deadline<1s>, unbounded>,
                             anew::strategy<half, deadline<1s>, unbounded>>);
static_assert(
    std::is_same_v<anew::with<anew::with<bounded, half>, deadline<2s>>, anew::strategy<half, deadline<2s>, unbounded>>);

/// A limit of one's own may say that it needs one too, or that it does not.
struct of_ones_own {
  using role = anew::roles::attempt_timeout;
  static constexpr bool needs_deadline = true;
  [[nodiscard]] static duration of(duration remaining) { return remaining; }
};
struct without_need : of_ones_own {
  static constexpr bool needs_deadline = false;
};
static_assert(!anew::Composable<of_ones_own> && anew::Composable<of_ones_own, deadline<1s>, unbounded>);
static_assert(anew::Composable<without_need>);

}  // namespace
}  // namespace attempt_timeout_attempt_timeout_share_test
