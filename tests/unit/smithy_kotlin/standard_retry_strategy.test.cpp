// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <version>
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

#include <gtest/gtest.h>

#include "anew/smithy_kotlin.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/test_mode.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace smithy_kotlin_standard_retry_strategy_test {
namespace {

using namespace anew::smithy_kotlin;
using support::flag_stop;
using options = standard_retry_strategy_options;
using delays = std::vector<duration>;

constexpr auto again = retry_directive::retry_error(retry_error_type::server_side);

struct broken : std::runtime_error {
  explicit broken(int n) : std::runtime_error{"broken"}, number{n} {}
  int number;
};

/// Values below zero are failures, zero is not yet; every exception is retried but std::logic_error.
class numbers final : public retry_policy<int> {
 public:
  [[nodiscard]] retry_directive evaluate(attempt_result<int> const& result) const override {
    if (result.threw<std::logic_error>()) return retry_directive::terminate_and_fail;
    if (!result) return again;
    if (result.value() < 0) return retry_directive::terminate_and_fail;
    return result.value() == 0 ? again : retry_directive::terminate_and_succeed;
  }
};

class everything final : public universal_retry_policy {
 public:
  [[nodiscard]] retry_directive evaluate_exception(std::exception_ptr const& /*thrown*/) const override {
    return again;
  }
};

struct fixture {
  explicit fixture(options const& o = {}, standard_retry_token_bucket_options const& b = {}) {
    exponential_backoff_with_jitter_options const e{.jitter = {0, 1}};
    bucket = std::make_shared<standard_retry_token_bucket>(b, time);
    strategy = std::make_unique<standard_retry_strategy>(
        o, bucket, std::make_shared<exponential_backoff_with_jitter>(e, time), time);
  }
  anew::testing::manual_clock clock{};
  std::vector<duration> slept{};
  std::function<void()> during{};
  std::shared_ptr<time_source const> time = make_time_source(clock, [this](duration delay) {
    slept.push_back(delay);
    clock.advance(delay);
    if (during) during();
  });
  std::shared_ptr<standard_retry_token_bucket> bucket;
  std::unique_ptr<standard_retry_strategy> strategy;
  int runs = 0;

  /// A block that returns these numbers, and throws `broken{n}` for n above 100.
  auto block(std::vector<int> script) {
    return [this, script] {
      auto const n = script.at(static_cast<std::size_t>(runs++));
      if (n > 100) throw broken{n};
      return n;
    };
  }
};

/// How a call ended, and what it leaves.
std::string end_of(std::function<int()> const& call) {
  try {
    return "value " + std::to_string(call());
  } catch (retry_failure const& e) {
    auto const is = [&]<class E>(std::in_place_type_t<E>) { return dynamic_cast<E const*>(&e) != nullptr; };
    bool const too_many = e.reason() == stop_reason::attempts || e.reason() == stop_reason::quota;
    EXPECT_EQ(is(std::in_place_type<too_many_attempts>), too_many);
    EXPECT_EQ(is(std::in_place_type<failed>), e.reason() == stop_reason::not_retryable);
    EXPECT_EQ(is(std::in_place_type<timed_out>), e.reason() == stop_reason::deadline);
    EXPECT_EQ(is(std::in_place_type<cancelled>), e.reason() == stop_reason::cancelled);
    auto const last = e.last_result<int>();
    return std::string{to_string(e.reason())} + " " + std::to_string(e.attempts()) + " last " +
           (last == nullptr || !*last ? "none" : std::to_string(last->value()));
  } catch (broken const& e) {
    return "broken " + std::to_string(e.number);
  }
}

TEST(StandardRetryStrategy, Calls) {
  struct row {
    std::vector<int> script;  // as in fixture::block
    std::string end;
    delays slept;
    std::uint32_t balance;
    options with{};
    std::uint32_t capacity = 500;
  };
  options const backoff_first{.order = retry_order::backoff_first};
  options const polling{.is_long_polling = true};
  options const polls_once{.max_attempts = 1, .is_long_polling = true};
  options const polls_as_before{.order = retry_order::backoff_first, .is_long_polling = true};
  options const in_time{.max_time = 150ms + 1ns};  // 50 + 100
  options const late{.max_time = 150ms};
  for (row const& r :
       {row{{7}, "value 7", {}, 500}, row{{0, 101, 7}, "value 7", {50ms, 100ms}, 486},
        row{{0, 101, 0}, "attempts 3 last 0", {50ms, 100ms}, 472}, row{{0, 101, 102}, "broken 102", {50ms, 100ms}, 472},
        row{{0, -5}, "not_retryable 2 last -5", {50ms}, 486}, row{{0, 0}, "quota 2 last 0", {50ms}, 0, {}, 14},
        row{{104}, "broken 104", {}, 0, {}, 0}, row{{0}, "quota 1 last 0", {50ms}, 0, polling, 0},
        row{{0, 0}, "quota 2 last 0", {50ms, 100ms}, 0, backoff_first, 14},  // the second for nothing
        row{{0}, "quota 1 last 0", {50ms}, 0, polls_as_before, 0}, row{{0}, "attempts 1 last 0", {}, 0, polls_once, 0},
        row{{0, 0, 9}, "value 9", {50ms, 100ms}, 486, in_time},
        row{{0, 0, 9}, "deadline 2 last 0", {50ms}, 486, late}}) {  // what was not made was given back
    fixture f{r.with, {.capacity = r.capacity}};
    EXPECT_EQ(end_of([&] { return f.strategy->retry(numbers{}, f.block(r.script)); }), r.end);
    EXPECT_EQ(f.slept, r.slept) << r.end;
    EXPECT_EQ(f.bucket->balance(), r.balance) << r.end;
  }
  fixture f;
  EXPECT_THROW(f.strategy->retry(numbers{}, [&]() -> int { throw std::out_of_range{""}; }), std::out_of_range);
  EXPECT_TRUE(f.slept.empty());
  anew::testing::test_mode const fast{2};
  EXPECT_EQ(end_of([&] { return f.strategy->retry(numbers{}, f.block({0, 0})); }), "attempts 2 last 0");
  EXPECT_EQ(f.slept, (delays{0ms}));
}

TEST(StandardRetryStrategy, ABlockThatTakesTooLong) {
  fixture f{{.max_time = 1s}};
  EXPECT_EQ(f.strategy->retry(numbers{}, [&] { return f.clock.advance(5s), 7; }), 7);  // late, and welcome
  EXPECT_THROW(f.strategy->retry(numbers{}, [&] { return f.clock.advance(5s), 0; }), timed_out);
  EXPECT_EQ(f.bucket->balance(), 500U);
}

TEST(StandardRetryStrategy, TooManyAttemptsWithAValue) {
  fixture f;
  try {
    f.strategy->retry(numbers{}, f.block({0, 101, 0}));
    FAIL();
  } catch (too_many_attempts const& error) {
    EXPECT_EQ(error.last_result<long>(), nullptr);
    EXPECT_EQ(error.last_exception(), nullptr);
    EXPECT_NE(std::string{error.what()}.find(" after 3 attempts"), std::string::npos) << error.what();
    auto const copy = error;
    EXPECT_EQ(copy.last_result<int>(), error.last_result<int>());
  }
}

constexpr auto both_orders = {retry_order::quota_first, retry_order::backoff_first};

TEST(StandardRetryStrategy, BothOrders) {
  for (auto const order : both_orders) {
    fixture f{{.order = order}};
    std::vector<std::uint32_t> balances;
    f.during = [&] { balances.push_back(f.bucket->balance()); };
    EXPECT_EQ(f.strategy->retry(numbers{}, f.block({0, 0, 9})), 9);
    EXPECT_EQ(balances, (order == retry_order::quota_first ? std::vector<std::uint32_t>{486, 472}
                                                           : std::vector<std::uint32_t>{500, 486}));
    EXPECT_EQ(f.bucket->balance(), 486U);
  }
}

TEST(StandardRetryStrategy, TheFirstAttemptIsAlwaysMade) {
  fixture f{{}, {.capacity = 0, .initial_try_cost = 1}};
  EXPECT_EQ(f.strategy->retry(numbers{}, f.block({7})), 7);
}

TEST(StandardRetryStrategy, AFirstAttemptIsPaidForOnce) {
  standard_retry_token_bucket_options const b{.capacity = 100, .initial_try_cost = 10};
  fixture f{{}, b};
  EXPECT_EQ(end_of([&] { return f.strategy->retry(numbers{}, f.block({-1, 0, 1})); }), "not_retryable 1 last -1");
  EXPECT_EQ(f.bucket->balance(), 90U);
  EXPECT_EQ(f.strategy->retry(numbers{}, f.block({-1, 0, 1})), 1);
  EXPECT_EQ(f.bucket->balance(), 80U);
  fixture once{{.max_attempts = 1}, b};
  EXPECT_EQ(end_of([&] { return once.strategy->retry(numbers{}, once.block({0})); }), "attempts 1 last 0");
  EXPECT_EQ(once.bucket->balance(), 90U);
}

struct stops_all final : retry_hooks {
  anew::pace before_try(std::uint32_t /*number*/, rate_place& /*place*/, anew::time_point /*now*/) override {
    throw std::runtime_error{"stopped"};
  }
};
TEST(StandardRetryStrategy, AFirstAttemptThatAHookStopsIsRefunded) {
  auto const bucket = std::make_shared<standard_retry_token_bucket>(
      standard_retry_token_bucket_options{.capacity = 100, .initial_try_cost = 10});
  standard_retry_strategy const strategy{
      {}, bucket, std::make_shared<exponential_backoff_with_jitter>(), system_time(), std::make_shared<stops_all>()};
  EXPECT_THROW(static_cast<void>(strategy.retry(numbers{}, [] { return 7; })), std::runtime_error);
  EXPECT_EQ(bucket->balance(), 100U);
}

TEST(StandardRetryStrategy, WaitsForWhatTheBucketLends) {
  standard_retry_token_bucket_options const b{.capacity = 14, .refill_units_per_second = {1, 1}};
  for (auto const order : both_orders) {
    fixture f{{.order = order}, b};
    EXPECT_EQ(f.strategy->retry(numbers{}, f.block({0, 0, 1})), 1);
    EXPECT_EQ(f.slept, order == retry_order::quota_first ? (delays{50ms, 13950ms}) : (delays{50ms, 100ms, 13900ms}));
    EXPECT_EQ(f.bucket->balance(), 14U);
    fixture bounded{{.max_time = 10s, .order = order}, b};
    EXPECT_EQ(end_of([&] { return bounded.strategy->retry(numbers{}, bounded.block({0, 0})); }), "deadline 2 last 0");
    EXPECT_EQ(bounded.slept, order == retry_order::quota_first ? (delays{50ms}) : (delays{50ms, 100ms}));
    EXPECT_EQ(bounded.bucket->balance(), 0U);
  }
}

TEST(StandardRetryStrategy, ATimeOutKeepsTheExceptionBeforeIt) {
  fixture f{{.max_time = 150ms}};
  try {
    f.strategy->retry(numbers{}, f.block({0, 105}));
    FAIL();
  } catch (timed_out const& error) {
    ASSERT_NE(error.last_exception(), nullptr);
    EXPECT_THROW(std::rethrow_exception(error.last_exception()), broken);
    EXPECT_TRUE(error.last_result<int>()->threw<broken>());
    auto const* nested = dynamic_cast<std::nested_exception const*>(&error);
    ASSERT_NE(nested, nullptr);
    EXPECT_THROW(nested->rethrow_nested(), broken);
  }
  EXPECT_EQ(f.bucket->balance(), 486U);
}

struct per_attempt final : backoff_delayer {
  explicit per_attempt(duration d) : each{d} {}
  [[nodiscard]] duration delay(backoff_request const& request) const override { return each * request.attempt; }
  duration each;
};

TEST(StandardRetryStrategy, ADelayerOfOnesOwn) {
  fixture f;
  standard_retry_strategy const strategy{{.max_time = 3s}, f.bucket, std::make_shared<per_attempt>(1s), f.time};
  EXPECT_THROW(strategy.retry(numbers{}, f.block({0, 0, 9})), timed_out);
  EXPECT_EQ(f.slept, (delays{1s}));
  EXPECT_EQ(f.bucket->balance(), 486U);
}

TEST(AdaptiveRetryStrategy, PacesFirstTriesAndRetriesByTheRateThatItLearns) {
  class throttled final : public retry_policy<int> {
    [[nodiscard]] retry_directive evaluate(attempt_result<int> const& result) const override {
      return result.value() == 0 ? retry_directive::retry_error(retry_error_type::throttling)
                                 : retry_directive::terminate_and_succeed;
    }
  };
  fixture f;
  auto const limiter = std::make_shared<adaptive_rate_limiter>();
  adaptive_retry_strategy const strategy{{}, f.bucket, std::make_shared<per_attempt>(1s), f.time, limiter};
  EXPECT_EQ(strategy.retry(throttled{}, f.block({7})), 7);
  EXPECT_EQ(f.slept, delays{}) << "nothing was throttled";
  f.runs = 0;
  EXPECT_EQ(strategy.retry(throttled{}, f.block({0, 8})), 8);
  f.runs = 0;
  EXPECT_EQ(strategy.retry(throttled{}, f.block({9})), 9);
  // The rate has fallen to its least, a try in two seconds: one of them has passed in the delay.
  ASSERT_EQ(f.slept.size(), 3U);
  EXPECT_EQ(f.slept[0], 1s);
  EXPECT_EQ(f.slept[1], 1s);
  EXPECT_EQ(limiter->limiter().waiting(), 0U);
  // Whoever gives up in the wait leaves its place.
  flag_stop::state state;
  f.during = [&] { state.requested = true; };
  f.runs = 0;
  EXPECT_THROW(strategy.retry(throttled{}, f.block({0}), flag_stop{state}), cancelled);
  EXPECT_EQ(limiter->limiter().waiting(), 0U);
}

TEST(StandardRetryStrategy, AStopInTheSleepGivesTheRetryBack) {
  for (auto const order : both_orders) {
    fixture f{{.order = order}};
    flag_stop::state state;
    f.during = [&] { state.requested = true; };
    flag_stop const stop{state};
    EXPECT_EQ(end_of([&] { return f.strategy->retry(numbers{}, f.block({0}), stop); }), "cancelled 1 last 0");
    EXPECT_EQ(f.bucket->balance(), 500U);
    f.runs = 0;
    state.requested = false;
    EXPECT_THROW(f.strategy->retry(numbers{}, f.block({103}), stop), broken);
    EXPECT_EQ(f.bucket->balance(), 500U);
  }
}

TEST(StandardRetryStrategy, AStopBeforeStillMakesOneAttempt) {
  fixture f;
  flag_stop::state state;
  state.requested = true;
  flag_stop const stop{state};
  EXPECT_EQ(f.strategy->retry(numbers{}, f.block({7}), stop), 7);
  EXPECT_THROW(f.strategy->retry(numbers{}, [] { return 0; }, stop), cancelled);
  EXPECT_TRUE(f.slept.empty());
  EXPECT_EQ(f.bucket->balance(), 500U);
  fixture empty{{}, {.capacity = 0}};  // nobody asks the bucket any more
  EXPECT_THROW(empty.strategy->retry(numbers{}, [] { return 0; }, stop), cancelled);
}

#if defined(__cpp_lib_jthread)
TEST(StandardRetryStrategy, ABlockGetsTheStandardStopToken) {
  fixture f;
  std::stop_source source;
  EXPECT_THROW(f.strategy->retry(
                   numbers{},
                   [&](anew::attempt& self) {
                     EXPECT_FALSE(self.stop_token().stop_requested());
                     source.request_stop();
                     EXPECT_TRUE(self.stop_token().stop_requested());
                     return 0;
                   },
                   source.get_token()),
               cancelled);
}
#endif

TEST(StandardRetryStrategy, WhatItsPartsThrowLosesNoCapacity) {
  struct thrower final : retry_policy<int> {
    [[nodiscard]] retry_directive evaluate(attempt_result<int> const& result) const override {
      if (result.value() == 0) return again;
      throw std::bad_function_call{};
    }
  };
  for (auto const order : both_orders) {
    fixture f{{.order = order}};
    EXPECT_THROW(f.strategy->retry(thrower{}, f.block({0, 1})), std::bad_function_call);
    EXPECT_EQ(f.bucket->balance(), 486U);  // the attempt that it does not judge counts as failed
    f.runs = 0;
    f.during = [&] {
      if (f.runs == 2) throw std::out_of_range{"sleeper"};
    };
    EXPECT_THROW(f.strategy->retry(numbers{}, f.block({0, 0})), std::out_of_range);
    EXPECT_EQ(f.bucket->balance(), 472U);  // the retry that was made and failed
  }
}

TEST(StandardRetryStrategy, UniversalPoliciesForEveryBlock) {
  fixture f;
  EXPECT_EQ(f.strategy->retry(everything{}, f.block({101, 0})), 0);
  int runs = 0;
  static_assert(std::is_void_v<decltype(f.strategy->retry(everything{}, [] {}))>);
  f.strategy->retry(everything{}, [&] {
    if (++runs < 3) throw 1;
  });
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(*f.strategy->retry(everything{}, [] { return std::make_unique<int>(4); }), 4);
}

TEST(StandardRetryStrategy, BlocksMayAskAboutTheirAttempt) {
  fixture f{{.max_time = 10s}};
  std::vector<std::string> told;
  auto const result = f.strategy->retry(numbers{}, [&](anew::attempt& a) -> int {
    auto const* const before = a.previous_error() ? to_string(*a.previous_error()) : "none";
    told.push_back(std::to_string(a.number()) + " " + std::to_string(a.remaining() / 1ms) + " " + before);
    return a.number() < 3 ? 0 : 5;
  });
  EXPECT_EQ(result, 5);
  EXPECT_EQ(told, (std::vector<std::string>{"1 10000 none", "2 9950 server", "3 9850 server"}));
}

TEST(StandardRetryStrategy, AnExceptionMayBeASuccess) {
  struct wanted final : universal_retry_policy {
    [[nodiscard]] retry_directive evaluate_exception(std::exception_ptr const&) const override {
      return retry_directive::terminate_and_succeed;
    }
  };
  fixture f;
  EXPECT_THROW(f.strategy->retry(wanted{}, [&]() -> int { throw broken{1}; }), broken);
  f.strategy->retry(wanted{}, [] { throw broken{1}; });
}

TEST(StandardRetryStrategy, IsARetryStrategyLikeOthers) {
  struct once final : retry_strategy {
    void run(retry_call& call) const override {
      anew::attempt self{{}};
      if (!call.make_attempt(self).is_success()) call.fail(stop_reason::attempts);
    }
  };
  std::unique_ptr<retry_strategy> const strategy = std::make_unique<once>();
  EXPECT_EQ(strategy->retry(numbers{}, [] { return 3; }), 3);
  EXPECT_THROW(strategy->retry(numbers{}, [] { return 0; }), too_many_attempts);
}

TEST(StandardRetryStrategy, RefusesNonsense) {
  auto const refused = [](auto const&... parts) {
    EXPECT_THROW((standard_retry_strategy{parts...}), std::invalid_argument);
  };
  refused(options{.max_attempts = 0});
  refused(options{.max_time = 0s});
  refused(options{}, nullptr);
  auto const bucket = std::make_shared<infinite_token_bucket>();
  refused(options{}, bucket, nullptr);
  refused(options{}, bucket, std::make_shared<exponential_backoff_with_jitter>(), nullptr);
}

}  // namespace
}  // namespace smithy_kotlin_standard_retry_strategy_test
