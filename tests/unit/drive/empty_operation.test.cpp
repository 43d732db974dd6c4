// SPDX-License-Identifier: BSL-1.0
// An empty function is refused before the first attempt, wherever it lies, by the name of the call that was made.
#include <functional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"
#include "anew/drivers/call_engine.hpp"

#include "coroutine_support.hpp"
#include "rejection.hpp"

namespace drive_empty_operation_test {
namespace {

using support::rejection_of;

constexpr auto no_sleep = [](anew::duration /*delay*/) {};

TEST(EmptyOperation, IsRefusedWhereverItLies) {
  anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<2>> const strategy{};
  std::function<unsigned()> nothing;
  std::function<void()> nothing_to_reset;
  auto const fails = []() -> unsigned { throw std::runtime_error{"full"}; };
  std::string const empty = "anew::retry: the operation must be callable, but is empty";
  auto const retried = [&](auto&& operation) {
    return rejection_of([&] { static_cast<void>(anew::retry(strategy, operation, no_sleep)); });
  };
  EXPECT_EQ(retried(nothing), empty);
  EXPECT_EQ(retried(std::ref(nothing)), empty);
  EXPECT_EQ(retried(anew::idempotent(std::cref(nothing))), empty);
  EXPECT_EQ(retried(anew::rewinding(nothing, [] {})), empty);
  std::string const no_reset = "anew::rewinding: the function that resets must be callable, but is empty";
  EXPECT_EQ(retried(anew::rewinding(fails, nothing_to_reset)), no_reset);
  EXPECT_EQ(retried(anew::idempotent(anew::rewinding(fails, std::ref(nothing_to_reset)))), no_reset);
  EXPECT_THROW(retried(std::ref(fails)), std::runtime_error);
  EXPECT_EQ(rejection_of([&] { anew::call_engine{strategy, std::ref(nothing)}; }),
            "anew::call_engine: the operation must be callable, but is empty");

  std::function<support::eager<unsigned>()> const nothing_to_await;
  auto const awaits = [](anew::duration /*delay*/) -> support::eager<> { co_return; };
  EXPECT_EQ(rejection_of([&] { static_cast<void>(anew::retry(strategy, nothing_to_await, awaits)); }), empty);
}

}  // namespace
}  // namespace drive_empty_operation_test
