// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/ports/smithy_kotlin/standard_retry_token_bucket.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"

namespace smithy_kotlin_standard_retry_token_bucket_test {
namespace {

using namespace std::chrono_literals;
using namespace anew::smithy_kotlin;
using anew::duration;
using anew::stop_reason;
using anew::testing::advancing_sleeper;
using anew::testing::manual_clock;
using anew::testing::recording_sleeper;
using options = standard_retry_token_bucket_options;

constexpr anew::retry_costs all_cost(std::uint32_t n) {
  return {.transient = n, .throttling = n, .timeout = n, .server = n, .client = n};
}
options refilling(std::uint32_t capacity, anew::rational rate, std::uint32_t cost = 1) {
  options o{};
  o.capacity = capacity;
  o.refill_units_per_second = rate;
  o.retry_cost = all_cost(cost);
  return o;
}

/// A bucket on a clock of its own.
struct fixture {
  explicit fixture(options const& o) : sleep{clock}, bucket{o, make_time_source(clock, std::ref(sleep))} {}
  manual_clock clock;
  advancing_sleeper sleep;
  standard_retry_token_bucket bucket;

  void drain() {
    auto token = bucket.uncharged_token();
    while (bucket.balance() > 0) token = token.schedule_retry(retry_error_type::transient);
    token.notify_failure();
  }
};

TEST(StandardRetryTokenBucket, TheNumbersOf2026) {
  standard_retry_token_bucket bucket{};
  EXPECT_EQ(bucket.balance(), 500U);
  auto token = bucket.acquire_token();
  EXPECT_EQ(bucket.balance(), 500U);
  token = token.schedule_retry(retry_error_type::server_side);
  EXPECT_EQ(bucket.balance(), 486U);
  token = token.schedule_retry(retry_error_type::throttling);
  EXPECT_EQ(bucket.balance(), 481U);
  token = token.schedule_retry(retry_error_type::timeout);
  EXPECT_EQ(bucket.balance(), 467U);
  token = token.schedule_retry(retry_error_type::client_side);
  EXPECT_EQ(bucket.balance(), 453U);
  token = token.schedule_retry(retry_error_type::transient);
  EXPECT_EQ(bucket.balance(), 439U);
  token.notify_success();
  EXPECT_EQ(bucket.balance(), 453U);  // what the last retry cost
  bucket.acquire_token().notify_success();
  EXPECT_EQ(bucket.balance(), 454U);
  bucket.acquire_token().notify_failure();
  EXPECT_EQ(bucket.balance(), 454U);
}

TEST(StandardRetryTokenBucket, TheNumbersBefore) {
  auto const o = options::before_2026();
  EXPECT_EQ(o.capacity, 500U);
  EXPECT_EQ(o.retry_cost.server, 5U);
  EXPECT_EQ(o.retry_cost.client, 5U);
  EXPECT_EQ(o.retry_cost.throttling, 10U);
  EXPECT_EQ(o.retry_cost.timeout, 10U);
  EXPECT_EQ(o.retry_cost.transient, 10U);
}

TEST(StandardRetryTokenBucket, CircuitBreakerRefusesAndTakesNothing) {
  options o{};
  o.capacity = 27;
  fixture f{o};
  auto token = f.bucket.acquire_token();
  token = token.schedule_retry(retry_error_type::server_side);
  EXPECT_EQ(f.bucket.balance(), 13U);
  EXPECT_THROW(static_cast<void>(token.schedule_retry(retry_error_type::server_side)), retry_capacity_exceeded);
  EXPECT_EQ(f.bucket.balance(), 13U);
  token = token.schedule_retry(retry_error_type::throttling);
  EXPECT_EQ(f.bucket.balance(), 8U);
  f.clock.advance(1000h);
  EXPECT_EQ(f.bucket.balance(), 8U);
  EXPECT_TRUE(f.sleep.delays.empty());
  EXPECT_EQ(f.clock.reads(), 0U);  // time is no part of it
}

TEST(StandardRetryTokenBucket, ARetryThatIsNotMadeIsGivenBack) {
  standard_retry_token_bucket bucket{};
  auto token = bucket.acquire_token();
  token.schedule_retry(retry_error_type::server_side).close();
  EXPECT_EQ(bucket.balance(), 500U);
}

TEST(StandardRetryTokenBucket, IsNeverFullerThanItsCapacity) {
  options o{};
  o.capacity = 10;
  standard_retry_token_bucket bucket{o};
  bucket.acquire_token().notify_success();
  EXPECT_EQ(bucket.balance(), 10U);
  auto token = bucket.acquire_token();
  token = token.schedule_retry(retry_error_type::throttling);
  for (int n = 0; n < 3; ++n) bucket.acquire_token().notify_success();
  token.notify_success();
  EXPECT_EQ(bucket.balance(), 10U);
}

TEST(StandardRetryTokenBucket, FirstAttemptsMayCost) {
  options o{};
  o.capacity = 5;
  o.initial_try_cost = 3;
  o.initial_try_success_increment = 2;
  standard_retry_token_bucket bucket{o};
  auto token = bucket.acquire_token();
  EXPECT_EQ(bucket.balance(), 2U);
  EXPECT_THROW(static_cast<void>(bucket.acquire_token()), retry_capacity_exceeded);
  token.notify_success();
  EXPECT_EQ(bucket.balance(), 4U);
  bucket.acquire_token().close();
  EXPECT_EQ(bucket.balance(), 4U);
  bucket.acquire_token().notify_failure();
  EXPECT_EQ(bucket.balance(), 1U);
  bucket.uncharged_token().close();
  EXPECT_EQ(bucket.balance(), 1U);
  bucket.uncharged_token().notify_success();
  EXPECT_EQ(bucket.balance(), 3U);
}

// Published with the token bucket of smithy-rs (token_bucket.rs): units a second, seconds, whole units, tenths left.
TEST(StandardRetryTokenBucket, RefillKeepsFractionsAsPublished) {
  struct row {
    anew::rational rate;
    std::chrono::seconds elapsed;
    std::uint32_t whole;
    std::uint64_t tenths;
  };
  for (auto const& r : {row{{10, 1}, 2s, 20, 0},
                        {{1, 1000}, 1100s, 1, 1},
                        {{1, 10'000}, 11'000s, 1, 1},
                        {{1, 1000}, 1200s, 1, 2},
                        {{1, 10'000}, 10'000s, 1, 0},
                        {{1, 1000}, 500s, 0, 5}}) {
    fixture f{refilling(500, r.rate, 500)};
    f.drain();
    ASSERT_EQ(f.bucket.balance(), 0U);
    f.clock.advance(r.elapsed);
    EXPECT_EQ(f.bucket.balance(), r.whole) << r.rate.num << "/" << r.rate.den << " for " << r.elapsed.count();
    EXPECT_EQ(f.bucket.fraction(), r.tenths * f.bucket.parts_per_unit() / 10);
  }
}

TEST(StandardRetryTokenBucket, AskingOftenLosesNoFraction) {
  fixture f{refilling(10, {1, 3}, 10)};
  f.drain();
  for (int n = 0; n < 29'999; ++n) {
    f.clock.advance(1ms);
    static_cast<void>(f.bucket.balance());
  }
  EXPECT_EQ(f.bucket.balance(), 9U);
  f.clock.advance(1ms);
  EXPECT_EQ(f.bucket.balance(), 10U);
  f.clock.advance(100h);
  EXPECT_EQ(f.bucket.balance(), 10U);
  EXPECT_EQ(f.bucket.fraction(), 0U);
}

TEST(StandardRetryTokenBucket, TimeThatGoesBackBringsNothing) {
  fixture f{refilling(10, {1, 1}, 10)};
  f.drain();
  f.clock.advance(-5s);
  EXPECT_EQ(f.bucket.balance(), 0U);
  f.clock.advance(5s);
  EXPECT_EQ(f.bucket.balance(), 0U);
  f.clock.advance(1s);
  EXPECT_EQ(f.bucket.balance(), 1U);
}

TEST(StandardRetryTokenBucket, WaitsUntilTheMissingUnitsAreThere) {
  fixture f{refilling(10, {2, 1}, 5)};
  auto token = f.bucket.acquire_token();
  token = token.schedule_retry(retry_error_type::transient);
  token = token.schedule_retry(retry_error_type::transient);
  EXPECT_TRUE(f.sleep.delays.empty());
  f.clock.advance(250ms);
  token = token.schedule_retry(retry_error_type::transient);  // half a unit is there already
  EXPECT_EQ(f.sleep.delays, (std::vector<duration>{2250ms}));
  EXPECT_EQ(f.bucket.balance(), 0U);
  EXPECT_EQ(f.bucket.fraction(), 0U);
  token.notify_success();
  EXPECT_EQ(f.bucket.balance(), 5U);
}

TEST(StandardRetryTokenBucket, TheWaitIsRoundedUpAndItsSurplusKept) {
  fixture f{refilling(2, {3, 1})};
  auto token = f.bucket.acquire_token();
  for (int n = 0; n < 3; ++n) token = token.schedule_retry(retry_error_type::transient);
  EXPECT_EQ(f.sleep.delays, (std::vector<duration>{333'333'334ns}));
  EXPECT_EQ(f.bucket.fraction(), 2U);  // of 10^9: what the last nanosecond brought too much
  EXPECT_EQ(f.bucket.parts_per_unit(), 1'000'000'000U);
}

TEST(StandardRetryTokenBucket, ASleeperThatIsLateLosesNothing) {
  manual_clock const clock;
  advancing_sleeper sleep{clock, 3s};
  standard_retry_token_bucket bucket{refilling(10, {1, 1}, 10), make_time_source(clock, std::ref(sleep))};
  auto token = bucket.acquire_token();
  token = token.schedule_retry(retry_error_type::transient);
  clock.advance(9s);
  token = token.schedule_retry(retry_error_type::transient);  // 1 s is missing, and it slept 4
  EXPECT_EQ(bucket.balance(), 0U);                            // the bucket was full at 10
  clock.advance(4s);
  EXPECT_EQ(bucket.balance(), 4U);
}

TEST(StandardRetryTokenBucket, LooksAgainAfterTheWait) {
  manual_clock const clock;
  int thefts = 2;
  standard_retry_token_bucket* victim = nullptr;
  struct sleeper {
    manual_clock clock;
    int* thefts;
    standard_retry_token_bucket** victim;
    std::vector<duration>* slept;
    void operator()(duration delay) const {
      slept->push_back(delay);
      clock.advance(delay);
      if ((*thefts)-- > 0) (*victim)->uncharged_token().schedule_retry(retry_error_type::throttling).notify_failure();
    }
  };
  std::vector<duration> slept;
  auto o = refilling(10, {1, 1}, 4);
  o.retry_cost.throttling = 3;
  standard_retry_token_bucket bucket{o, make_time_source(clock, sleeper{clock, &thefts, &victim, &slept})};
  victim = &bucket;
  auto token = bucket.acquire_token();
  token = token.schedule_retry(retry_error_type::transient);
  token = token.schedule_retry(retry_error_type::transient);  // 2 are left
  token = token.schedule_retry(retry_error_type::transient);  // another call takes 3 in each of the first two sleeps
  EXPECT_EQ(slept, (std::vector<duration>{2s, 3s, 3s}));
  EXPECT_EQ(bucket.balance(), 0U);
}

TEST(StandardRetryTokenBucket, ASleeperThatDoesNotWaitEndsTheWaitToo) {
  recording_sleeper sleep;
  standard_retry_token_bucket bucket{refilling(1, {1, 1}), make_time_source(manual_clock{}, std::ref(sleep))};
  auto token = bucket.acquire_token();
  for (int n = 0; n < 4; ++n) token = token.schedule_retry(retry_error_type::transient);
  EXPECT_EQ(sleep.delays, (std::vector<duration>{1s, 1s, 1s}));
  token.notify_failure();
}

TEST(StandardRetryTokenBucket, TheWaitIsBoundedByTheLimit) {
  fixture f{refilling(10, {1, 1}, 10)};
  auto token = f.bucket.acquire_token();
  token = token.schedule_retry(retry_error_type::transient);
  auto const end = f.clock.peek() + 10s;
  try {
    static_cast<void>(token.schedule_retry(retry_error_type::transient, {end, {}}));
    FAIL();
  } catch (wait_ended const& ended) {
    EXPECT_EQ(ended.reason(), stop_reason::deadline);
  }
  EXPECT_TRUE(f.sleep.delays.empty());
  token = token.schedule_retry(retry_error_type::transient, {end + 1ns, {}});
  EXPECT_EQ(f.sleep.delays, (std::vector<duration>{10s}));
}

TEST(StandardRetryTokenBucket, TheWaitIsEndedByAStop) {
  struct flag {
    bool const* set;
    [[nodiscard]] bool stop_requested() const { return *set; }
    [[nodiscard]] static bool stop_possible() { return true; }
  };
  bool stopped = false;
  recording_sleeper sleep{[&] { stopped = true; }};
  standard_retry_token_bucket bucket{refilling(10, {1, 1}, 10), make_time_source(manual_clock{}, std::ref(sleep))};
  auto token = bucket.acquire_token();
  token = token.schedule_retry(retry_error_type::transient);
  flag const stop{&stopped};
  EXPECT_THROW(
      static_cast<void>(token.schedule_retry(retry_error_type::transient, {anew::time_point::max(), stop_flag{stop}})),
      wait_ended);
  EXPECT_EQ(bucket.balance(), 0U);
  EXPECT_FALSE(token.is_resolved());
}

TEST(StandardRetryTokenBucket, WhatTheSleeperThrowsLosesNothing) {
  recording_sleeper sleep{[] { throw std::runtime_error{"sleeper"}; }};
  manual_clock const clock;
  standard_retry_token_bucket bucket{refilling(10, {1, 1}, 10), make_time_source(clock, std::ref(sleep))};
  auto token = bucket.acquire_token();
  token = token.schedule_retry(retry_error_type::transient);
  clock.advance(4s);
  EXPECT_THROW(static_cast<void>(token.schedule_retry(retry_error_type::transient)), std::runtime_error);
  EXPECT_EQ(bucket.balance(), 4U);
  token.notify_success();
  EXPECT_EQ(bucket.balance(), 10U);
}

TEST(StandardRetryTokenBucket, WhatIsNeverThereIsRefusedAtOnce) {
  auto o = refilling(10, {1, 1}, 11);
  o.initial_try_cost = 10;
  fixture f{o};
  auto token = f.bucket.acquire_token();
  EXPECT_THROW(static_cast<void>(token.schedule_retry(retry_error_type::transient)), retry_capacity_exceeded);
  EXPECT_TRUE(f.sleep.delays.empty());
  f.bucket.acquire_token().notify_failure();  // the capacity itself is
  EXPECT_EQ(f.sleep.delays, (std::vector<duration>{10s}));
}

TEST(StandardRetryTokenBucket, ACircuitBreakerMayBeRefilledToo) {
  auto o = refilling(10, {1, 1}, 10);
  o.use_circuit_breaker_mode = true;
  fixture f{o};
  auto token = f.bucket.acquire_token();
  token = token.schedule_retry(retry_error_type::transient);
  f.clock.advance(10s - 1ns);
  EXPECT_THROW(static_cast<void>(token.schedule_retry(retry_error_type::transient)), retry_capacity_exceeded);
  f.clock.advance(1ns);
  token = token.schedule_retry(retry_error_type::transient);
  EXPECT_TRUE(f.sleep.delays.empty());
  token.notify_failure();
}

TEST(StandardRetryTokenBucket, TheLargestNumbersDoNotOverflow) {
  constexpr auto most = ~std::uint32_t{0};
  fixture f{refilling(most, {most, most}, most)};
  f.drain();
  f.clock.set(anew::time_point::max());
  EXPECT_EQ(f.bucket.balance(), most);
  fixture slow{refilling(most, {1, most}, most)};
  auto token = slow.bucket.acquire_token();
  token = token.schedule_retry(retry_error_type::transient);
  EXPECT_THROW(static_cast<void>(token.schedule_retry(retry_error_type::transient, {slow.clock.peek() + 1h, {}})),
               wait_ended);
}

TEST(StandardRetryTokenBucket, RefusesNonsense) {
  for (std::uint32_t anew::retry_costs::* cost :
       {&anew::retry_costs::transient, &anew::retry_costs::throttling, &anew::retry_costs::timeout,
        &anew::retry_costs::server, &anew::retry_costs::client}) {
    options o{};
    o.retry_cost.*cost = 0;
    EXPECT_THROW(standard_retry_token_bucket{o}, std::invalid_argument);
  }
  options o{};
  o.refill_units_per_second = {1, 0};
  EXPECT_THROW(standard_retry_token_bucket{o}, std::invalid_argument);
  EXPECT_THROW((standard_retry_token_bucket{options{}, nullptr}), std::invalid_argument);
}

TEST(StandardRetryTokenBucket, IsExactAmongThreads) {
  options o{};
  o.capacity = 100;
  standard_retry_token_bucket bucket{o};
  std::atomic<int> refused{0};
  auto const work = [&] {
    for (int n = 0; n < 2000; ++n) {
      auto token = bucket.acquire_token();
      try {
        auto next = token.schedule_retry(retry_error_type::throttling);
        if (n % 3 == 0) {
          next.close();
        } else {
          next.notify_success();
        }
      } catch (retry_capacity_exceeded const&) {
        ++refused;
        token.close();
      }
    }
  };
  std::thread one{work};
  std::thread two{work};
  one.join();
  two.join();
  EXPECT_EQ(bucket.balance(), 100U);
  EXPECT_EQ(refused, 0);
}

}  // namespace
}  // namespace smithy_kotlin_standard_retry_token_bucket_test
