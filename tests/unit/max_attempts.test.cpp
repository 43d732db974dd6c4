// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/limits/max_attempts_by_kind.hpp"

#include "names.hpp"

namespace max_attempts_test {
namespace {

using namespace anew;

using enum error_kind;

using mixed =
    max_attempts_by_kind<for_kind<throttling, max_attempts<4>>, for_kind<timeout, max_attempts<1>>, max_attempts<3>>;

// Made of as many rules as it has, each of its type.
static_assert(std::is_constructible_v<mixed, for_kind<throttling, max_attempts<4>>, for_kind<timeout, max_attempts<1>>,
                                      max_attempts<3>>);
static_assert(!std::is_constructible_v<mixed, for_kind<throttling, max_attempts<4>>>);
static_assert(!std::is_constructible_v<mixed, int, int, max_attempts<3>>);

call_progress after(std::vector<error_kind> const& kinds) {
  call_progress progress{static_cast<std::uint32_t>(kinds.size()), kinds.back(), {}};
  for (auto kind : kinds) progress.counts.add(kind);
  return progress;
}

static_assert(std::is_empty_v<mixed> && MaxAttempts<mixed>);
static_assert(sizeof(max_attempts_by_kind<for_kind<throttling, max_attempts<3>>, for_kind<timeout, max_attempts<3>>,
                                          max_attempts<3>>) == 1);

TEST(PerKindAttempts, EachNamedKindCountsForItselfAndAllOthersShareACount) {
  // How often a call is permitted another attempt whose failures are these, again and again.
  auto const permitted = [](std::vector<error_kind> const& script) {
    std::vector<error_kind> failures{script.front()};
    while (mixed{}.permits_another(after(failures))) failures.push_back(script[failures.size() % script.size()]);
    return failures.size() - 1;
  };
  EXPECT_EQ(permitted({transient}), 2U);
  EXPECT_EQ(permitted({client, transient, server}), 2U);
  EXPECT_EQ(permitted({throttling}), 3U);
  EXPECT_EQ(permitted({transient, transient, throttling, throttling, throttling, throttling}), 5U);
  EXPECT_EQ(permitted({throttling, throttling, throttling, transient, server, transient}), 5U);
  EXPECT_EQ(permitted({throttling, transient}), 5U) << "the third transient is the sixth failure";
  EXPECT_EQ(permitted({timeout}), 0U);
  EXPECT_TRUE(mixed{}.permits_another(2U)) << "without kinds it is the default";
  EXPECT_FALSE(mixed{}.permits_another(3U));
}

TEST(PerKindAttempts, ValuesOfTheTypeAndOfTheObjectAgree) {
  max_attempts_by_kind const chosen{on_kind<throttling>(max_attempts{4}), on_kind<timeout>(max_attempts<1>{}),
                                    max_attempts{3}};
  EXPECT_EQ(chosen.describe(),
            "max_attempts_by_kind(throttling=max_attempts(4),timeout=max_attempts(1),max_attempts(3))");
  EXPECT_EQ(mixed{}.describe(), chosen.describe());
  using limits = std::vector<std::pair<error_kind, max_attempts_by_kind_at_run_time::limit>>;
  max_attempts_by_kind_at_run_time const named{limits{{throttling, max_attempts{4}}, {timeout, max_attempts{1}}},
                                               max_attempts{3}};
  EXPECT_EQ(named.describe(), chosen.describe());
  EXPECT_TRUE((max_attempts_by_kind_at_run_time{limits{}, unbounded{}}.permits_another(1'000'000)));
  std::vector<error_kind> kinds;
  for (unsigned i = 0; i < 40; ++i) {
    kinds.push_back(static_cast<error_kind>(i * i % 5));
    EXPECT_EQ(chosen.permits_another(after(kinds)), mixed{}.permits_another(after(kinds))) << i;
    EXPECT_EQ(named.permits_another(after(kinds)), mixed{}.permits_another(after(kinds))) << i;
    EXPECT_EQ(named.permits_another(i), mixed{}.permits_another(i)) << i;
  }
}

// Rules that are a policy, and rules that are none.
using one = for_kind<timeout, max_attempts<2>>;
static_assert(Composable<max_attempts_by_kind<one, max_attempts<1>>>);
static_assert(Composable<max_attempts_by_kind<one, unbounded>>);
static_assert(!Composable<max_attempts_by_kind<one, one, max_attempts<1>>> && !Composable<max_attempts_by_kind<one>>);
static_assert(!Composable<max_attempts_by_kind<>> && !Composable<max_attempts_by_kind<max_attempts<1>, one>>);
static_assert(!Composable<max_attempts_by_kind<one, no_backoff>>);
static_assert(!Composable<max_attempts_by_kind<for_kind<timeout, no_backoff>, max_attempts<1>>>);

}  // namespace
}  // namespace max_attempts_test
