// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/gate/max_concurrency.hpp"
#include "anew/testing.hpp"

#include "length.hpp"

namespace gate_max_concurrency_test {
namespace {

using anew::stop_reason;

TEST(MaxConcurrency, CountsAsAModelDoes) {
  anew::generator dice{1, 2};
  for (std::uint32_t const most : {1U, 2U, 7U, 100U}) {
    anew::max_concurrency const gate{most};
    std::vector<std::uint32_t> held;
    for (int i = support::length_of(2'500'000); i != 0; --i) {
      if (auto const what = dice() % 5; what < 2) {
        auto const answer = gate.try_enter(anew::time_point{});
        ASSERT_EQ(answer.pass.has_value(), held.size() < most);
        ASSERT_EQ(answer.wait, anew::duration::zero());
        if (answer.pass) held.push_back(*answer.pass);
      } else if (!held.empty()) {
        if (what == 2) gate.on_success(held.back(), anew::time_point{});
        if (what == 3) gate.on_failure(held.back(), {}, anew::time_point{});
        if (what == 4) gate.release(held.back());
        held.pop_back();
      }
      gate.release({});
      ASSERT_EQ(gate.attempts(), held.size());
      ASSERT_EQ(gate.is_untouched(), held.empty());
    }
  }
}

/// An operation that makes a call of its own: the attempt around it holds a place, its backoff none.
TEST(MaxConcurrency, RefusesOneMoreAndHoldsNothingBetweenAttempts) {
  auto const s = anew::compose(anew::max_concurrency{1}, anew::retry_all{}, anew::max_attempts<2>{});
  std::vector<std::uint32_t> while_waiting;
  std::vector<stop_reason> inner;
  auto const outcome = anew::retry_outcome(
      s,
      [&] {
        inner.push_back(anew::retry_outcome(s, [] {}, [](anew::duration) {}).reason());
        throw std::runtime_error{"no"};
      },
      [&](anew::duration) { while_waiting.push_back(s.gate().attempts()); });
  EXPECT_EQ(outcome.reason(), stop_reason::attempts);
  EXPECT_EQ(inner, (std::vector{stop_reason::gate_closed, stop_reason::gate_closed}));
  EXPECT_EQ(while_waiting, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(s.gate().attempts(), 0U);
}

}  // namespace
}  // namespace gate_max_concurrency_test
