// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/compose/strategy_difference.hpp"

namespace compose_strategy_difference_test {

using namespace std::chrono_literals;

using differences = std::vector<anew::policy_difference>;

TEST(StrategyDifference, IsEmptyForEqualStrategies) {
  EXPECT_EQ(anew::strategy_difference(anew::strategy<>{}, anew::strategy<anew::full_jitter>{}), differences{});
}

TEST(StrategyDifference, NamesTheRoleAndBothPolicies) {
  EXPECT_EQ(
      anew::strategy_difference(anew::strategy<>{}, anew::strategy<anew::max_attempts<8>, anew::no_jitter>{}),
      (differences{{"jitter", "full_jitter", "no_jitter"}, {"max_attempts", "max_attempts(3)", "max_attempts(8)"}}));
}

TEST(StrategyDifference, LeavesAnUnplayedRoleEmpty) {
  EXPECT_EQ(anew::strategy_difference(anew::strategy<anew::deadline<1s>, anew::max_attempts<3>>{}, anew::strategy<>{}),
            (differences{{"deadline", "deadline(1s)", ""}}));
}

TEST(StrategyDifference, ComparesValuesAndNotTypes) {
  auto const left = anew::compose(anew::max_attempts{3});
  EXPECT_EQ(anew::strategy_difference(left, anew::strategy<>{}), differences{});
  EXPECT_EQ(anew::strategy_difference(left, anew::compose(anew::max_attempts{4})),
            (differences{{"max_attempts", "max_attempts(3)", "max_attempts(4)"}}));
}
}  // namespace compose_strategy_difference_test
