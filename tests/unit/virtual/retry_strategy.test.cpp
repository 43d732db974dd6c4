// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/run_time/virtual/retry_info.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"

#include "names.hpp"
#include "rejection.hpp"

namespace virtual_retry_strategy_test {
namespace {

using anew::retry_token;

/// The guide's example in small, as a user writes it: a bucket, attempts in the token.
class guide final : public anew::retry_strategy {
 public:
  static constexpr int capacity = 20;
  static constexpr int cost = 5;
  explicit guide(std::uint32_t most = 3) : most_{most} {}

  int balance() const { return tokens_; }
  std::vector<failure> heard() const { return heard_; }
  bool refuses_first = false;
  bool issues_always = false;

 private:
  /// What the retry paid, given back where its token is destroyed unused.
  struct paid {
    guide const* from;
    int amount;
    paid(guide const* by, int much) noexcept : from{by}, amount{much} {}
    paid(paid&& other) noexcept : from{std::exchange(other.from, nullptr)}, amount{other.amount} {}
    ~paid() {
      if (from != nullptr) from->give_back(amount);
    }
  };

  retry_token on_acquire() const override {
    if (refuses_first) return refuse(stop_reason::quota, 9ms);
    return issue({}, paid{nullptr, 0});
  }
  retry_token on_refresh(retry_token&& token, failure const& what) const override {
    heard_.push_back(what);
    state_of<paid>(token).from = nullptr;  // that retry was made: what it paid is spent
    if (what.safety == retry_safety::no && !issues_always) return refuse(stop_reason::not_retryable);
    if (token.attempt() >= most_) return refuse(stop_reason::attempts);
    if (tokens_ < cost) return refuse(stop_reason::quota);
    tokens_ -= cost;
    return issue({.delay = 10ms * token.attempt(), .attempt = token.attempt() + 1}, paid{this, cost});
  }
  void on_success(retry_token&& token) const override { static_cast<void>(state_of<paid>(token)); }
  void give_back(int amount) const { tokens_ = std::min(capacity, tokens_ + amount); }

  std::uint32_t most_;
  mutable int tokens_ = capacity;
  mutable std::vector<failure> heard_;
};

/// How the message about a token goes on that this function refuses.
std::string complaint(std::string const& function, auto const& call) {
  auto const begin =
      "anew::retry_strategy::" + function + " requires an unused token that this strategy issued; the token ";
  auto const what = support::rejection_of(call);
  return what.starts_with(begin) ? what.substr(begin.size()) : what;
}
std::string refresh(guide const& by, retry_token&& token) {
  return complaint("refresh_retry_token", [&] { (void)by.refresh_retry_token(std::move(token), failure{}); });
}
std::string succeed(guide const& by, retry_token&& token) {
  return complaint("record_success", [&] { by.record_success(std::move(token)); });
}
constexpr auto foreign = "was issued by another strategy";
constexpr auto used = "was used already";

TEST(VirtualRetryStrategy, TheThreeFunctionsUnderTheGuidesNames) {
  guide const strategy;
  auto token = strategy.acquire_initial_token();
  EXPECT_EQ(token.attempt(), 1U);
  EXPECT_EQ(token.delay(), 0ns);
  token = strategy.refresh_retry_token(std::move(token), failure{});
  EXPECT_EQ(token.attempt(), 2U);
  EXPECT_EQ(token.delay(), 10ms);
  token = strategy.refresh_retry_token(std::move(token), failure{});
  EXPECT_EQ(token.delay(), 20ms);
  EXPECT_EQ(strategy.balance(), 10);
  strategy.record_success(std::move(token));
  EXPECT_EQ(strategy.balance(), 15);
}

TEST(VirtualRetryStrategy, ARefusalIsThrownWithItsReason) {
  guide const strategy{1};
  auto token = strategy.acquire_initial_token();
  try {
    token = strategy.refresh_retry_token(std::move(token), failure{});
    ADD_FAILURE() << "nothing was thrown";
  } catch (anew::token_acquisition_failed const& e) {
    EXPECT_EQ(e.reason(), stop_reason::attempts);
    EXPECT_STREQ(e.what(), "anew: no retry token: attempts");
    EXPECT_EQ(e.wait_before_end(), 0ns);
  }
  EXPECT_FALSE(token.is_live()) << "a refusal consumes the token";
}

TEST(VirtualRetryStrategy, AnInitialTokenMayBeRefused) {
  guide strategy;
  strategy.refuses_first = true;
  try {
    static_cast<void>(strategy.acquire_initial_token());
    ADD_FAILURE() << "nothing was thrown";
  } catch (anew::token_acquisition_failed const& e) {
    EXPECT_EQ(e.reason(), stop_reason::quota);
    EXPECT_EQ(e.wait_before_end(), 9ms);
  }
  auto const answer = strategy.try_acquire_initial_token();
  EXPECT_FALSE(answer.has_value());
  EXPECT_EQ(answer.reason(), stop_reason::quota);
  EXPECT_EQ(answer.wait_before_end(), 9ms);
}

TEST(VirtualRetryStrategy, ATokenThatOutlivedItsStrategyIsForeignToTheNextAtItsAddress) {
  std::optional<guide> place{std::in_place};
  auto token = place->acquire_initial_token();
  auto const* const address = &*place;
  place.emplace();
  ASSERT_EQ(&*place, address);
  EXPECT_EQ(refresh(*place, std::move(token)), foreign);
  EXPECT_EQ(succeed(*place, std::move(token)), foreign);
}

TEST(VirtualRetryStrategy, AForeignTokenIsAnInvalidArgumentAndStaysGood) {
  guide const one;
  guide const other;
  auto token = one.acquire_initial_token();
  for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(refresh(other, std::move(token)), foreign);
  EXPECT_EQ(complaint("refresh_retry_token", [&] { (void)other.try_refresh_retry_token(std::move(token), failure{}); }),
            foreign);
  EXPECT_EQ(succeed(other, std::move(token)), foreign);
  EXPECT_EQ(complaint("admit", [&] { (void)other.admit(token, anew::time_point{}); }), foreign);
  EXPECT_TRUE(other.heard().empty());
  token = one.refresh_retry_token(std::move(token), failure{});
  EXPECT_EQ(token.attempt(), 2U);
}

TEST(VirtualRetryStrategy, AUsedTokenIsAnInvalidArgument) {
  guide const strategy;
  auto token = strategy.acquire_initial_token();
  auto next = strategy.refresh_retry_token(std::move(token), failure{});
  EXPECT_EQ(refresh(strategy, std::move(token)), used);
  EXPECT_EQ(succeed(strategy, std::move(token)), used);
  strategy.record_success(std::move(next));
  EXPECT_EQ(succeed(strategy, std::move(next)), used);
  EXPECT_EQ(strategy.balance(), 20);
}

TEST(VirtualRetryStrategy, AMovedFromOrEmptyTokenIsAnInvalidArgument) {
  guide const strategy;
  auto token = strategy.acquire_initial_token();
  auto const moved_to = std::move(token);
  EXPECT_EQ(succeed(strategy, std::move(token)), "was moved from");
  EXPECT_EQ(succeed(strategy, {}), "is empty");
  EXPECT_EQ(refresh(strategy, {}), "is empty");
}

TEST(VirtualRetryStrategy, ATokenDestroyedUnusedGivesBackWhatItHolds) {
  guide const strategy;
  {
    auto const token = strategy.refresh_retry_token(strategy.acquire_initial_token(), failure{});
    EXPECT_EQ(strategy.balance(), 15);
  }
  EXPECT_EQ(strategy.balance(), 20);
  auto token = strategy.refresh_retry_token(strategy.acquire_initial_token(), failure{});
  token = retry_token{};
  EXPECT_EQ(strategy.balance(), 20);
}

TEST(VirtualRetryStrategy, WhatIsNotSafeIsRefusedWhateverTheStrategyAnswers) {
  guide strategy;
  strategy.issues_always = true;
  auto const answer =
      strategy.try_refresh_retry_token(strategy.acquire_initial_token(), failure{.safety = retry_safety::no});
  EXPECT_FALSE(answer.has_value());
  EXPECT_EQ(answer.reason(), stop_reason::not_retryable);
  EXPECT_EQ(strategy.balance(), 20) << "the token that it issued is destroyed";
  EXPECT_EQ(strategy.heard().size(), 1U);
}

/// A strategy that throws where it is told to.
struct thrown {};
class throwing final : public anew::retry_strategy {
  retry_token on_acquire() const override { return issue({}); }
  retry_token on_refresh(retry_token&& /*token*/, failure const& /*what*/) const override { throw thrown{}; }
  void on_success(retry_token&& /*token*/) const override { throw thrown{}; }
};

TEST(VirtualRetryStrategy, WhatAStrategyThrowsIsPassedOnAndTheTokenIsConsumed) {
  throwing const strategy;
  auto token = strategy.acquire_initial_token();
  EXPECT_THROW(static_cast<void>(strategy.refresh_retry_token(std::move(token), failure{})), thrown);
  EXPECT_FALSE(token.is_live());
  token = strategy.acquire_initial_token();
  EXPECT_THROW(strategy.record_success(std::move(token)), thrown);
  EXPECT_FALSE(token.is_live());
}

// What a failure may be given as.

struct busy : std::runtime_error, anew::retry_info {
  retry_safety safety = retry_safety::yes;
  explicit busy(retry_safety s = retry_safety::yes) : std::runtime_error{"busy"}, safety{s} {}
  retry_safety is_retry_safe() const override { return safety; }
  bool is_throttle() const override { return true; }
  std::optional<anew::duration> retry_after() const override { return 3s; }
};
struct no_exception : anew::retry_info, anew::error_info {
  retry_safety is_retry_safe() const override { return retry_safety::maybe; }
  error_fault fault() const override { return error_fault::server; }
};
struct server_fault : std::runtime_error, anew::error_info {
  server_fault() : std::runtime_error{"5xx"} {}
  error_fault fault() const override { return error_fault::server; }
};
struct structural {
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::yes; }
  [[nodiscard]] static bool is_timeout() { return true; }
};
struct structural_fault {
  [[nodiscard]] static error_fault fault() { return error_fault::server; }
};
struct thrown_structural : std::runtime_error {
  thrown_structural() : std::runtime_error{"structural"} {}
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::yes; }
};
struct theirs {};

}  // namespace
}  // namespace virtual_retry_strategy_test

template <>
struct anew::retry_traits<virtual_retry_strategy_test::theirs> {
  static retry_safety is_retry_safe(virtual_retry_strategy_test::theirs const& /*e*/) { return retry_safety::yes; }
  static bool is_throttle(virtual_retry_strategy_test::theirs const& /*e*/) { return true; }
};

namespace virtual_retry_strategy_test {
namespace {

constexpr failure throttled{error_kind::throttling, retry_safety::yes, 3s};
constexpr failure nothing_known{error_kind::client, retry_safety::no, std::nullopt};

failure heard_of(auto const& error) {
  guide const strategy;
  auto const answer = strategy.try_refresh_retry_token(strategy.acquire_initial_token(), error);
  EXPECT_EQ(strategy.heard().size(), 1U);
  auto const what = strategy.heard().front();
  EXPECT_EQ(answer.has_value(), what.safety != retry_safety::no);
  try {
    static_cast<void>(strategy.refresh_retry_token(strategy.acquire_initial_token(), error));
    EXPECT_NE(what.safety, retry_safety::no);
  } catch (anew::token_acquisition_failed const& e) {
    EXPECT_EQ(what.safety, retry_safety::no);
    EXPECT_EQ(e.reason(), answer.reason());
  }
  EXPECT_EQ(strategy.heard().back(), what);
  return what;
}

TEST(VirtualRetryStrategy, TellsWhatNobodyReadFromWhatIsRefused) {
  auto const reason = [](auto const& error) {
    guide const strategy;
    return strategy.try_refresh_retry_token(strategy.acquire_initial_token(), error).reason();
  };
  EXPECT_EQ(reason(std::runtime_error{"says nothing"}), stop_reason::unclassified);
  EXPECT_EQ(reason(std::make_exception_ptr(1)), stop_reason::unclassified);
  EXPECT_EQ(reason(busy{retry_safety::no}), stop_reason::not_retryable);
  EXPECT_EQ(reason(anew::directive::fail()), stop_reason::not_retryable);
  EXPECT_EQ(reason(failure{error_kind::client, retry_safety::no, std::nullopt}), stop_reason::not_retryable);
}

TEST(VirtualRetryStrategy, AFailureAsItIs) {
  EXPECT_EQ(heard_of(throttled), throttled);
  EXPECT_EQ(heard_of(anew::directive::retry(throttled)), throttled);
  EXPECT_EQ(heard_of(anew::directive::fail()), nothing_known);
}

TEST(VirtualRetryStrategy, AnExceptionByAnyOfItsTypes) {
  busy const error;
  EXPECT_EQ(heard_of(error), throttled);
  EXPECT_EQ(heard_of(static_cast<std::exception const&>(error)), throttled);
  EXPECT_EQ(heard_of(static_cast<std::runtime_error const&>(error)), throttled);
  EXPECT_EQ(heard_of(static_cast<anew::retry_info const&>(error)), throttled);
  EXPECT_EQ(heard_of(std::make_exception_ptr(error)), throttled);
  EXPECT_EQ(heard_of(busy{retry_safety::no}), nothing_known);
  EXPECT_EQ(heard_of(std::runtime_error{"says nothing"}), nothing_known);
  EXPECT_EQ(heard_of(std::make_exception_ptr(1)), nothing_known);
  EXPECT_EQ(heard_of(std::exception_ptr{}), nothing_known);
}

TEST(VirtualRetryStrategy, WhatIsNoExceptionByItsBases) {
  failure const expected{error_kind::server, retry_safety::maybe, std::nullopt};
  no_exception const error;
  EXPECT_EQ(heard_of(error), expected);
  EXPECT_EQ(heard_of(static_cast<anew::retry_info const&>(error)), expected);
  EXPECT_EQ(heard_of(std::make_exception_ptr(error)), expected);
}

TEST(VirtualRetryStrategy, AnErrorThatSaysItByItsFunctionsOrByATrait) {
  EXPECT_EQ(heard_of(structural{}), (failure{error_kind::timeout, retry_safety::yes, std::nullopt}));
  EXPECT_EQ(heard_of(thrown_structural{}), (failure{error_kind::transient, retry_safety::yes, std::nullopt}));
  EXPECT_EQ(heard_of(theirs{}), (failure{error_kind::throttling, retry_safety::yes, std::nullopt}));
}

TEST(VirtualRetryStrategy, AFaultAloneIsFinal) {
  server_fault const error;
  EXPECT_EQ(heard_of(error), nothing_known);
  EXPECT_EQ(heard_of(static_cast<anew::error_info const&>(error)), nothing_known);
  EXPECT_EQ(heard_of(structural_fault{}), nothing_known);
}

/// Retries what is the server's fault, as the guide's example does.
class forgiving final : public anew::retry_strategy {
  retry_token on_acquire() const override { return issue({}); }
  retry_token on_refresh(retry_token&& token, failure const& what) const override {
    if (what.safety == retry_safety::no) return refuse(stop_reason::not_retryable);
    return issue({.attempt = token.attempt() + 1});
  }
  std::optional<anew::directive> on_exception(std::exception const& error) const override {
    auto const told = anew::info_of(error);
    if (told.retry == nullptr && told.fault != nullptr && told.fault->fault() == error_fault::server) {
      return anew::directive::retry(error_kind::server);
    }
    return told.retry != nullptr ? anew::directive_of(told) : anew::directive::succeed();
  }
};

TEST(VirtualRetryStrategy, AFaultIsWhatTheStrategyMakesOfIt) {
  forgiving const strategy;
  auto const refresh = [&](auto const& error) {
    return strategy.try_refresh_retry_token(strategy.acquire_initial_token(), error).has_value();
  };
  server_fault const error;
  EXPECT_TRUE(refresh(error));
  EXPECT_TRUE(refresh(static_cast<anew::error_info const&>(error)));
  EXPECT_TRUE(refresh(structural_fault{})) << "no exception, and yet it has a fault";
  EXPECT_TRUE(refresh(std::make_exception_ptr(error)));
  EXPECT_FALSE(refresh(std::runtime_error{"an exception leaves no result to succeed with"}));
  EXPECT_TRUE(strategy.classify(std::runtime_error{"x"})->is_failure());
}

TEST(VirtualRetryStrategy, WhatIsNotOverridden) {
  guide const strategy;
  auto token = strategy.acquire_initial_token();
  EXPECT_EQ(strategy.admit(token, anew::time_point{}), anew::admission_answer{});
  auto const before = std::chrono::steady_clock::now();
  auto const now = strategy.now();
  EXPECT_GE(now, before);
  EXPECT_LE(now, std::chrono::steady_clock::now());
  EXPECT_TRUE(strategy.wishes().admission && strategy.wishes().events && strategy.wishes().scopes);
  EXPECT_EQ(strategy.describe(), "retry_strategy");
  EXPECT_FALSE(strategy.classify(std::runtime_error{"x"}).has_value());
  EXPECT_FALSE(strategy.classify(std::exception_ptr{}).has_value());
}

}  // namespace
}  // namespace virtual_retry_strategy_test
