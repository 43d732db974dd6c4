// SPDX-License-Identifier: BSL-1.0
// What the interface says of attempts, and a strategy that is adjusted for one operation behind it. That an adjusted
// strategy decides as one composed so is asked in tests/conformance/two_faces.test.cpp.
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/policies.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/text.hpp"
#include "anew/virtual.hpp"

#include "names.hpp"

namespace virtual_adjusted_test {
namespace {

using anew::retry_strategy, anew::strategy_view;

/// Retries every error.
class of_my_own : public retry_strategy {
  anew::retry_token on_acquire() const override { return issue({}); }
  [[nodiscard]] std::optional<anew::directive> on_error(anew::error_ref const&) const override {
    return anew::directive::retry(anew::error_kind::transient);
  }
};
class thrice final : public of_my_own {
  anew::retry_token on_refresh(anew::retry_token&& token, anew::failure const& /*what*/) const override {
    if (token.attempt() == 3) return refuse(anew::stop_reason::attempts);
    return issue({.delay = 1s, .attempt = token.attempt() + 1});
  }
};

unsigned attempts_of(retry_strategy const& strategy) {
  return anew::retry_outcome(strategy_view{strategy}, [](anew::attempt&) { return false; }, no_sleep).attempts();
}
anew::duration limit_of(retry_strategy const& strategy) {
  anew::duration limit{};
  static_cast<void>(anew::retry(
      strategy_view{strategy},
      [&](anew::attempt& self) {
        limit = self.limit();
        return true;
      },
      no_sleep));
  return limit;
}

using limited =
    anew::strategy<anew::retry_all, anew::attempt_timeout<100ms>, anew::max_attempts<2>, anew::token_bucket<100>>;

TEST(VirtualLimit, IsHeardByAnOperationThatTakesItsAttempt) {
  anew::virtual_strategy<limited> const strategy;
  EXPECT_EQ(limit_of(strategy), 100ms);
  EXPECT_EQ(strategy.max_attempts(), 2U);
  EXPECT_EQ(thrice{}.max_attempts(), 0U);
  EXPECT_EQ(limit_of(thrice{}), anew::duration::max());
}

TEST(VirtualLimit, IsRefusedWhereNothingHearsIt) {
  anew::virtual_strategy<limited> const strategy;
  int calls = 0;
  EXPECT_THROW(
      (void)anew::retry(strategy_view{strategy}, [&] { return ++calls != 0; }, no_sleep), std::invalid_argument);
  EXPECT_EQ(calls, 0);
  anew::virtual_strategy<anew::strategy<anew::retry_all>> const other;
  EXPECT_TRUE(anew::retry(strategy_view{other}, [] { return true; }, no_sleep));
}

TEST(VirtualAdjusted, ReplacesWhatIsNamedAndSharesTheRest) {
  anew::virtual_strategy<limited> const strategy;
  auto const patient = anew::adjusted(strategy, anew::max_attempts{4}, anew::attempt_timeout{7ms});
  EXPECT_EQ(patient.max_attempts(), 4U);
  EXPECT_EQ(limit_of(patient), 7ms);
  EXPECT_EQ(attempts_of(patient), 4U);
  EXPECT_EQ(strategy.strategy().quota().balance(), 100U - 3 * 14U);
  EXPECT_EQ(attempts_of(strategy), 2U);
  auto const again = anew::adjusted(patient, anew::max_attempts<3>{});
  EXPECT_EQ(attempts_of(again), 3U);
  EXPECT_EQ(limit_of(again), 7ms);
  EXPECT_THAT(again.describe(), ::testing::HasSubstr("adjusted(max_attempts(3))"));
  EXPECT_EQ(attempts_of(anew::adjusted(strategy)), 2U);
  anew::virtual_strategy<anew::strategy<anew::retry_all, anew::constant_backoff<1s>, anew::no_jitter>> const slow;
  EXPECT_EQ(attempts_of(anew::adjusted(slow, anew::deadline{10ms})), 1U);
}

TEST(VirtualAdjusted, KeepsTokensApart) {
  anew::virtual_strategy<limited> const strategy;
  auto const patient = anew::adjusted(strategy, anew::max_attempts{4});
  auto token = strategy.acquire_initial_token();
  EXPECT_THROW(patient.record_success(std::move(token)), std::invalid_argument);
  EXPECT_TRUE(token.is_live());  // NOLINT(bugprone-use-after-move): it was refused
  strategy.record_success(std::move(token));
  EXPECT_THROW(strategy.record_success(std::move(token)), std::invalid_argument);  // NOLINT(bugprone-use-after-move)
}

TEST(VirtualAdjusted, OfAClassThatDecidesItself) {
  thrice const strategy;
  EXPECT_THROW((void)anew::adjusted(strategy, anew::max_attempts{8}), std::invalid_argument);
  EXPECT_THROW((void)anew::adjusted(strategy, anew::no_backoff{}), std::invalid_argument);
  EXPECT_EQ(limit_of(anew::adjusted(strategy, anew::attempt_timeout{5ms})), 5ms);
  EXPECT_EQ(attempts_of(anew::adjusted(strategy, anew::deadline{10ms})), 1U) << "its delays are a second";
  EXPECT_EQ(attempts_of(anew::adjusted(strategy, anew::deadline{1h})), 3U);
}

TEST(VirtualAdjusted, OfAViewReplacesWhatTheInnermostDecides) {
  anew::virtual_strategy<limited> const strategy;
  anew::virtual_strategy const again{strategy_view{strategy}};
  EXPECT_EQ(attempts_of(anew::adjusted(again, anew::max_attempts<5>{})), 5U);
}

class refuses final : public of_my_own {
  anew::retry_token on_refresh(anew::retry_token&& /*token*/, anew::failure const& /*what*/) const override {
    return refuse(anew::stop_reason::quota, 10s);
  }
};

TEST(VirtualAdjusted, TheWaitBeforeARefusalEndsWithinTheDeadline) {
  refuses const strategy;
  auto const slept = [](retry_strategy const& by) {
    anew::duration all{};
    (void)anew::retry_outcome(strategy_view{by}, [] { return false; }, [&](anew::duration d) { all += d; });
    return all;
  };
  EXPECT_EQ(slept(strategy), 10s);
  EXPECT_EQ(slept(anew::adjusted(strategy, anew::deadline{1s})), 0s);
}

TEST(VirtualMakeStrategy, ReadsWhatATextSays) {
  auto const strategy = anew::make_strategy("max_attempts(4) attempt_timeout(30ms)");
  EXPECT_EQ(strategy->max_attempts(), 4U);
  EXPECT_EQ(limit_of(*strategy), 30ms);
  EXPECT_EQ(anew::make_strategy("unbounded")->max_attempts(), 0U);
  EXPECT_THROW((void)anew::make_strategy("max_attempts(0)"), std::invalid_argument);
}

}  // namespace
}  // namespace virtual_adjusted_test
