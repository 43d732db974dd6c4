// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "anew/ports/smithy_kotlin/retry_token_bucket.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"
#include "together.hpp"

namespace smithy_kotlin_standard_retry_token_bucket_test {
namespace {

using namespace anew::smithy_kotlin;
using options = standard_retry_token_bucket_options;
constexpr auto transient = retry_error_type::transient;

options refilling(std::uint32_t capacity, anew::rational rate, std::uint32_t cost = 1, std::uint32_t first = 0,
                  bool refuses = false) {
  return {.capacity = capacity,
          .initial_try_cost = first,
          .retry_cost = anew::retry_costs::all(cost),
          .refill_units_per_second = rate,
          .use_circuit_breaker_mode = refuses};
}

/// A bucket on a clock of its own.
struct fixture {
  explicit fixture(options const& o) : sleep{clock}, bucket{o, make_time_source(clock, std::ref(sleep))} {}
  manual_clock clock;
  advancing_sleeper sleep;
  standard_retry_token_bucket bucket;
};

enum class act : std::uint8_t { first, uncharged, server, client, throttling, timeout, retry, good, bad, close, time };
struct step {
  act what;
  std::uint32_t balance;  // afterwards
  duration passes{};      // what the step waits, or the time that passes
  bool refused = false;
};
struct story {
  char const* name;
  options with;
  std::vector<step> steps;
};

void play(fixture& f, retry_token& token, step const& s) {
  switch (s.what) {
    case act::first: token = f.bucket.acquire_token(); break;
    case act::uncharged: token = f.bucket.uncharged_token(); break;
    case act::server: token = token.schedule_retry(retry_error_type::server_side); break;
    case act::client: token = token.schedule_retry(retry_error_type::client_side); break;
    case act::throttling: token = token.schedule_retry(retry_error_type::throttling); break;
    case act::timeout: token = token.schedule_retry(retry_error_type::timeout); break;
    case act::retry: token = token.schedule_retry(transient); break;
    case act::good: token.notify_success(); break;
    case act::bad: token.notify_failure(); break;
    case act::close: token.close(); break;
    case act::time: f.clock.advance(s.passes); break;
  }
}

step on(act what, std::uint32_t balance, duration passes = {}) { return {what, balance, passes}; }
step refuses(act what, std::uint32_t balance) { return {what, balance, {}, true}; }

TEST(StandardRetryTokenBucket, Stories) {
  using enum act;
  for (auto const& story : std::vector<story>{
           {"the numbers of 2026",
            {},
            {on(first, 500), on(server, 486), on(throttling, 481), on(timeout, 467), on(client, 453), on(retry, 439),
             on(good, 453), on(first, 453), on(good, 454), on(first, 454), on(bad, 454)}},
           {"the numbers before",
            options::before_2026(),
            {on(first, 500), on(server, 495), on(client, 490), on(throttling, 480), on(timeout, 470), on(retry, 460)}},
           {"a breaker refuses and takes nothing; time does not help",
            {.capacity = 27},
            {on(first, 27), on(server, 13), refuses(server, 13), on(throttling, 8), on(time, 8, 1000h)}},
           {"a retry that is not made is refunded", {}, {on(first, 500), on(server, 486), on(close, 500)}},
           {"never fuller than its capacity",
            {.capacity = 10},
            {on(first, 10), on(good, 10), on(first, 10), on(throttling, 5), on(good, 10), on(first, 10), on(good, 10)}},
           {"first attempts may cost",
            {.capacity = 5, .initial_try_cost = 3, .initial_try_success_increment = 2},
            {on(first, 2), refuses(first, 2), on(good, 4), on(first, 1), on(close, 4), on(first, 1), on(bad, 1),
             on(uncharged, 1), on(close, 1), on(uncharged, 1), on(good, 3)}},
           {"a retry waits for what is missing",
            refilling(10, {2, 1}, 5),
            {on(first, 10), on(retry, 5), on(retry, 0), on(time, 0, 250ms), on(retry, 0, 2250ms), on(good, 5)}},
           {"the wait is rounded up and its surplus kept",
            refilling(2, {3, 1}),
            {on(first, 2), on(retry, 1), on(retry, 0), on(retry, 0, 333'333'334ns), on(retry, 0, 333'333'333ns),
             on(retry, 0, 333'333'333ns)}},
           {"a lent retry that is not made is refunded",
            refilling(10, {1, 1}, 10),
            {on(first, 10), on(retry, 0), on(retry, 0, 10s), on(close, 10)}},
           {"time that goes back brings nothing",
            refilling(10, {1, 1}, 10),
            {on(first, 10), on(retry, 0), on(time, 0, -5s), on(time, 0, 5s), on(time, 1, 1s), on(time, 10, 100h)}},
           {"what is never there is refused at once; a first attempt does not wait",
            refilling(10, {1, 1}, 11, 10),
            {on(first, 0), refuses(retry, 0), on(bad, 0), on(first, 0), on(time, 0, 10s), on(time, 1, 1s)}},
           {"a breaker may be refilled too",
            refilling(10, {1, 1}, 10, 0, true),
            {on(first, 10), on(retry, 0), on(time, 9, 10s - 1ns), refuses(retry, 9), on(time, 10, 1ns),
             on(retry, 0)}}}) {
    SCOPED_TRACE(story.name);
    fixture f{story.with};
    auto token = f.bucket.uncharged_token();
    for (std::size_t n = 0; n < story.steps.size(); ++n) {
      SCOPED_TRACE(n);
      auto const& s = story.steps[n];
      auto const before = f.clock.peek();
      if (s.refused) {
        EXPECT_THROW(play(f, token, s), retry_capacity_exceeded);
        EXPECT_FALSE(token.is_resolved());
      } else {
        play(f, token, s);
      }
      EXPECT_EQ(f.clock.peek() - before, s.passes);
      EXPECT_EQ(f.bucket.balance(), s.balance);
    }
    if (story.with.refill_units_per_second.num == 0) {
      EXPECT_EQ(f.clock.reads(), 0U);
    }
  }
}

// Published with the token bucket of smithy-rs (token_bucket.rs): units a second, seconds, whole units, tenths left.
TEST(StandardRetryTokenBucket, RefillKeepsFractionsAsPublished) {
  struct row {
    anew::rational rate;
    std::chrono::seconds elapsed;
    std::uint32_t whole;
    std::uint32_t tenths;
  };
  for (auto const& r : {row{{10, 1}, 2s, 20, 0},
                        {{1, 1000}, 1100s, 1, 1},
                        {{1, 10'000}, 11'000s, 1, 1},
                        {{1, 1000}, 1200s, 1, 2},
                        {{1, 10'000}, 10'000s, 1, 0},
                        {{1, 1000}, 500s, 0, 5}}) {
    fixture f{refilling(500, r.rate, 500)};
    f.bucket.uncharged_token().schedule_retry(transient).notify_failure();
    ASSERT_EQ(f.bucket.balance(), 0U);
    for (int n = 0; n != 1000; ++n) {  // asking often loses nothing
      f.clock.advance(duration{r.elapsed} / 1000);
      static_cast<void>(f.bucket.balance());
    }
    EXPECT_EQ(f.bucket.balance(), r.whole) << r.rate.num << "/" << r.rate.den << " for " << r.elapsed.count();
    auto const tenth = duration{1s} * r.rate.den / r.rate.num / 10;
    f.clock.advance(tenth * (10 - r.tenths) - 1ns);
    EXPECT_EQ(f.bucket.balance(), r.whole);
    f.clock.advance(1ns);
    EXPECT_EQ(f.bucket.balance(), r.whole + 1);
  }
}

TEST(StandardRetryTokenBucket, WhatIsLentDelaysTheNextRetryFurther) {
  recording_sleeper sleep;  // on a clock that stands still
  standard_retry_token_bucket bucket{refilling(10, {1, 1}, 10), make_time_source(manual_clock{}, std::ref(sleep))};
  for (int n = 0; n < 3; ++n) bucket.uncharged_token().schedule_retry(transient).notify_failure();
  EXPECT_EQ(sleep.delays, (std::vector<duration>{10s, 20s}));
  bucket.acquire_token().notify_success();  // is free, and does not wait
  EXPECT_EQ(sleep.delays.size(), 2U);
}

TEST(StandardRetryTokenBucket, WhatTheSleeperThrowsLosesNothing) {
  recording_sleeper sleep{[] { throw std::runtime_error{"sleeper"}; }};
  manual_clock const clock;
  standard_retry_token_bucket bucket{refilling(10, {1, 1}, 10), make_time_source(clock, std::ref(sleep))};
  auto token = bucket.uncharged_token().schedule_retry(transient);
  clock.advance(4s);
  EXPECT_THROW(static_cast<void>(token.schedule_retry(transient)), std::runtime_error);
  EXPECT_EQ(bucket.balance(), 4U);
  token.notify_success();
  EXPECT_EQ(bucket.balance(), 10U);
}

TEST(StandardRetryTokenBucket, TheLargestNumbersDoNotOverflow) {
  constexpr auto most = ~std::uint32_t{0};
  fixture f{refilling(most, {most, most}, most)};
  f.bucket.uncharged_token().schedule_retry(transient).notify_failure();
  EXPECT_EQ(f.bucket.balance(), 0U);
  f.clock.set(anew::time_point::max());
  EXPECT_EQ(f.bucket.balance(), most);
  fixture slow{refilling(most, {1, most}, most)};
  auto token = slow.bucket.uncharged_token().schedule_retry(transient);
  auto const next = token.schedule_retry(transient);
  EXPECT_EQ(slow.sleep.delays, (std::vector<duration>{duration::max()}));
}

TEST(StandardRetryTokenBucket, RefusesNonsense) {
  for (std::uint32_t anew::retry_costs::* cost :
       {&anew::retry_costs::transient, &anew::retry_costs::throttling, &anew::retry_costs::timeout,
        &anew::retry_costs::server, &anew::retry_costs::client}) {
    options o{};
    o.retry_cost.*cost = 0;
    EXPECT_THROW(standard_retry_token_bucket{o}, std::invalid_argument);
  }
  EXPECT_THROW((standard_retry_token_bucket{{.refill_units_per_second = {1, 0}}}), std::invalid_argument);
  EXPECT_THROW((standard_retry_token_bucket{options{}, nullptr}), std::invalid_argument);
}

TEST(StandardRetryTokenBucket, IsExactAmongThreads) {
  standard_retry_token_bucket bucket{{.capacity = 100}};
  std::atomic<int> refused{0};
  support::together(2, [&](unsigned /*index*/) {
    for (int n = 0; n < 2000; ++n) {
      auto token = bucket.acquire_token();
      try {
        auto next = token.schedule_retry(retry_error_type::throttling);
        if (n % 3 != 0) next.notify_success();  // else it is closed
      } catch (retry_capacity_exceeded const&) {
        ++refused;
      }
    }
  });
  EXPECT_EQ(bucket.balance(), 100U);
  EXPECT_EQ(refused, 0);
}

}  // namespace
}  // namespace smithy_kotlin_standard_retry_token_bucket_test
