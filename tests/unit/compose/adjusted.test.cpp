// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/compose/adjusted.hpp"
#include "anew/testing/manual_clock.hpp"

namespace compose_adjusted_test {
namespace {

using namespace std::chrono_literals;

using base = anew::strategy<anew::exponential_backoff<50ms, 20s>, anew::no_jitter, anew::token_bucket<100>,
                            anew::retry_all, anew::max_attempts<3>>;

int attempts_of(auto const& strategy) {
  int calls = 0;
  static_cast<void>(anew::retry(strategy, [&calls] { return ++calls > 100; }, [](anew::duration) {}));
  return calls;
}

TEST(Adjusted, ReplacesWhatIsGivenAndKeepsTheRest) {
  base const strategy;
  EXPECT_EQ(attempts_of(strategy), 3);
  EXPECT_EQ(attempts_of(anew::adjusted(strategy, anew::max_attempts{5})), 5);
  EXPECT_EQ(anew::describe(anew::adjusted(strategy, anew::max_attempts{5}, anew::constant_backoff{7ms})),
            "constant(7ms) no_jitter token_bucket(100) retry_all max_attempts(5) server_hint(stop)");
}

TEST(Adjusted, SpendsFromTheSameQuota) {
  base const strategy;
  auto const patient = anew::adjusted(strategy, anew::max_attempts{4});
  EXPECT_EQ(attempts_of(patient), 4);
  EXPECT_EQ(strategy.quota().balance(), 100U - 3 * 14);
  EXPECT_EQ(patient.quota().policy().balance(), strategy.quota().balance());
  {
    auto const held = patient.refresh_retry_token(patient.acquire_initial_token(), anew::failure{});
    ASSERT_TRUE(held.has_value());
    EXPECT_EQ(strategy.quota().balance(), 100U - 4 * 14);
  }
  EXPECT_EQ(strategy.quota().balance(), 100U - 3 * 14);
  patient.record_success(patient.acquire_initial_token());
  EXPECT_EQ(strategy.quota().balance(), 100U - 3 * 14 + 1);
}

TEST(Adjusted, AReplacedQuotaIsNotTouched) {
  base const strategy;
  EXPECT_EQ(attempts_of(anew::adjusted(strategy, anew::unlimited_quota{}, anew::max_attempts{50})), 50);
  EXPECT_EQ(strategy.quota().balance(), 100U);
}

TEST(Adjusted, KeepsValuesOfRunTime) {
  anew::testing::manual_clock const clock;
  auto const tuned = anew::compose(anew::exponential_backoff{10ms, 1s}, anew::no_jitter{}, anew::retry_all{},
                                   anew::max_attempts{2}, clock);
  auto const adjusted = anew::adjusted(tuned, anew::deadline{1s}, anew::unbounded{});
  std::vector<anew::duration> delays;
  static_cast<void>(anew::retry(
      adjusted, [] { return false; },
      [&](anew::duration d) {
        delays.push_back(d);
        clock.advance(d);
      }));
  EXPECT_EQ(delays,
            (std::vector<anew::duration>{10ms, 20ms, 40ms, 80ms, 160ms, 320ms}));  // 630 ms; 640 more do not fit
}

TEST(Adjusted, OfACopyableStrategyIsFreeOfIt) {
  using plain = anew::strategy<anew::retry_all>;
  auto make = [] {
    plain const gone;
    return anew::adjusted(gone, anew::max_attempts<2>{});
  };
  static_assert(std::is_same_v<decltype(make()), anew::strategy<anew::retry_all, anew::max_attempts<2>>>);
  static_assert(sizeof(make()) == 1);
  EXPECT_EQ(attempts_of(make()), 2);
}

template <class S>
concept AdjustsTemporaries = requires { anew::adjusted(S{}, anew::max_attempts<2>{}); };
static_assert(!AdjustsTemporaries<base>);

static_assert(anew::HasQuota<base>);
static_assert(!anew::HasQuota<anew::strategy<>>);
static_assert(!anew::HasQuota<int>);

}  // namespace
}  // namespace compose_adjusted_test
