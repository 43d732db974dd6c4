// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies/gate/max_concurrency.hpp"
#include "anew/testing.hpp"

#include "length.hpp"

namespace gate_max_concurrency_test {
namespace {

// That a call holds a place for an attempt, and none for its backoff: the stories of the drivers (stories/table.hpp).
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

}  // namespace
}  // namespace gate_max_concurrency_test
