// SPDX-License-Identifier: BSL-1.0
// An exception of a type that no classifier reads ends the call with a reason of its own, whatever drives the call, and
// comes out as it was thrown.
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/poll.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace retry_unclassified_test {
namespace {

using support::recorder;
using story = std::vector<std::string>;

struct unread : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Unclassified : testing::Test {
  recorder::heard heard{};
  anew::token_bucket<100> bucket{};
  auto strategy() { return anew::compose(anew::no_backoff{}, anew::borrowed{bucket}, recorder{heard}); }
  anew::testing::recording_sleeper sleep{};
  story const ended{"attempt 1 failed", "end unclassified after 1"};
};

TEST_F(Unclassified, InPolling) {
  auto const on = anew::acceptors{anew::success_on_result(), anew::retry_on_error<int>()};
  auto const told = anew::poll(strategy(), [] { throw unread{"x"}; }, on, sleep);
  EXPECT_EQ(told.reason(), stop_reason::unclassified);
  EXPECT_TRUE(told.failed());
  EXPECT_EQ(heard.story, ended);
}

TEST_F(Unclassified, WhereNoExceptionIsReadAtAll) {
  auto const strategy = anew::compose(anew::retry_if{[](bool ok) { return !ok; }}, anew::no_backoff{});
  EXPECT_EQ(
      anew::retry_outcome(strategy, []() -> bool { throw unread{"x"}; }, sleep).reason(), stop_reason::unclassified);
}

}  // namespace
}  // namespace retry_unclassified_test
