// SPDX-License-Identifier: BSL-1.0
// An empty operation is refused before the first attempt, whatever it is wrapped in.
#include <functional>
#include <stdexcept>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drive/call_engine.hpp"

namespace drive_empty_operation_test {
namespace {

TEST(EmptyOperation, IsRefusedInEachWrapper) {
  anew::strategy<anew::retry_all> const strategy;
  std::function<bool()> nothing;
  auto const is_refused = [&](auto const& operation) {
    EXPECT_THROW(static_cast<void>(anew::retry(strategy, operation)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(anew::retry_outcome(strategy, operation)), std::invalid_argument);
    EXPECT_THROW((anew::call_engine{strategy, operation}), std::invalid_argument);
  };
  is_refused(nothing);
  is_refused(static_cast<bool (*)()>(nullptr));
  is_refused(std::ref(nothing));
  is_refused(anew::idempotent(nothing));
  is_refused(anew::throws_only(nothing));
  is_refused(anew::idempotent(std::ref(nothing)));
  nothing = [] { return true; };
  EXPECT_TRUE(anew::retry(strategy, std::ref(nothing)));
}

}  // namespace
}  // namespace drive_empty_operation_test
