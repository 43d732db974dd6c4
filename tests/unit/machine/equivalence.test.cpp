// SPDX-License-Identifier: BSL-1.0
// Real policies keep the same balances whichever driver makes the calls: the blocking loop, a driver on call_engine, and
// the loop over the virtual interface make a few calls of one strategy, and after each of them its policies say the same.
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "anew/policies.hpp"
#include "anew/policies/limits/attempt_timeout_share.hpp"
#include "anew/testing/seeded_random.hpp"

#include "driver_support.hpp"
#include "stories/steps.hpp"
#include "stories/view.hpp"

namespace machine_equivalence_test {
namespace {

using namespace std::chrono_literals;
using namespace support::stories;

/// All that a strategy's policies tell of themselves.
template <class S>
std::string state_of(S const& strategy, anew::time_point now) {
  std::string all{"state"};
  auto const add = [&](auto value) { all.append(" ").append(std::to_string(static_cast<long long>(value))); };
  auto const& quota = strategy.quota();
  if constexpr (requires { quota.balance(); }) add(quota.balance());
  if constexpr (requires { quota.balance(now); }) add(quota.balance(now));
  if constexpr (requires { quota.policy().balance(); }) add(quota.policy().balance());
  if constexpr (requires { quota.outstanding(); }) add(quota.outstanding());
  auto const& gate = strategy.gate();
  if constexpr (requires { gate.state(); }) add(gate.state());
  if constexpr (requires { gate.failures(); }) add(gate.failures());
  return all;
}

/// `make(policies...)` adds what each of the compositions below has.
template <class Driver, class Make>
std::string books_of_calls(story const& s, std::uint64_t seed, Make const& make) {
  world w{s};
  auto strategy = make([&](auto&&... policies) {
    return anew::compose(reader{&w}, w.clock, anew::testing::seeded_random{seed}, tells{&w},
                         std::forward<decltype(policies)>(policies)...);
  });
  auto const play = [&](auto const& driven, auto const& policies) {
    for (unsigned n = 0; n < s.with.calls; ++n) {
      w.begin_call();
      Driver::call(driven, w, anew::idempotent(act{&w}));
      w.note(state_of(policies, w.clock.peek()));
    }
  };
  if constexpr (std::is_same_v<Driver, view>) {
    anew::virtual_strategy<std::remove_const_t<decltype(strategy)>, value> const behind{std::move(strategy)};
    play(anew::strategy_view{behind}, behind.strategy());
  } else {
    play(strategy, strategy);
  }
  return w.books();
}

template <class Make>
void expect_equal(std::uint64_t first_seed, Make const& make) {
  std::size_t waits = 0;
  std::size_t views = 0;
  for (auto seed = first_seed; seed != first_seed + 600; ++seed) {
    random_story const drawn{seed, true};
    story s = drawn;
    s.where = in::told;
    s.with.calls = 4 + static_cast<unsigned>(seed % 5);
    s.with.gap = static_cast<int>(seed * 7919 % 3'000);
    auto const books = books_of_calls<blocking>(s, seed, make);
    ASSERT_EQ(books, books_of_calls<engine>(s, seed, make)) << "seed " << seed;
    if (is_seen_alike(s)) {
      ASSERT_EQ(books, books_of_calls<view>(s, seed, make)) << "seed " << seed;
      ++views;
    }
    for (auto at = books.find("sleep"); at != books.npos; at = books.find("sleep", at + 1)) ++waits;
  }
  EXPECT_GT(waits, 200U);  // the stories do something
  EXPECT_GE(views, 100U);
}

constexpr anew::exponential_backoff<50ms, 2s> growing{};

TEST(MachineEquivalence, QuotaDeadlineHint) {
  expect_equal(1, [](auto const& with) {
    return with(growing, anew::full_jitter{}, anew::token_bucket{60}, anew::max_attempts<4>{}, anew::deadline<10s>{},
                anew::server_hint<>{});
  });
}

TEST(MachineEquivalence, ABreakerAndADelayWithMemory) {
  expect_equal(30'000, [](auto const& with) {
    return with(growing, anew::decorrelated_jitter{}, anew::token_bucket{500}, anew::max_attempts<4>{},
                anew::circuit_breaker<4, 3s>{}, anew::deadline<20s, anew::at_deadline::last_try>{});
  });
}

TEST(MachineEquivalence, ACoolDownThatIsWaitedFor) {
  expect_equal(40'000, [](auto const& with) {
    return with(growing, anew::full_jitter{}, anew::token_bucket{200}, anew::max_attempts<4>{},
                anew::cool_down<anew::exponential_backoff<1s, 8s>>{}, anew::deadline<12s>{});
  });
}

TEST(MachineEquivalence, APacerThatIsWaitedForBehindAGate) {
  expect_equal(50'000, [](auto const& with) {
    return with(growing, anew::no_jitter{}, anew::max_attempts<6>{}, anew::client_rate_limiter<>{},
                anew::cool_down<anew::constant_backoff<400ms>>{}, anew::deadline<15s>{});
  });
}

TEST(MachineEquivalence, AGateThatDraws) {
  expect_equal(55'000, [](auto const& with) {
    return with(growing, anew::full_jitter{}, anew::max_attempts<5>{}, anew::token_bucket{300},
                anew::client_throttle<anew::rational{3, 2}, 9s>{});
  });
}

TEST(MachineEquivalence, AQueueOfAPacer) {
  expect_equal(60'000, [](auto const& with) {
    return with(growing, anew::no_jitter{}, anew::max_attempts<6>{}, anew::deadline<5s>{},
                anew::client_rate_limiter{anew::rate_limiter_constants{.longest_queue = 3, .longest_wait = 2}},
                anew::rate_breaker<50, 5s, 4, 2s>{});
  });
}

TEST(MachineEquivalence, APacerThatRefuses) {
  expect_equal(70'000, [](auto const& with) {
    return with(growing, anew::no_jitter{}, anew::max_attempts<6>{}, anew::token_bucket{300},
                anew::client_rate_limiter<anew::when_limited::fail_fast>{});
  });
}

TEST(MachineEquivalence, ALongPoll) {
  expect_equal(80'000, [](auto const& with) {
    return with(growing, anew::full_jitter{}, anew::max_attempts<6>{}, anew::deadline<9s>{},
                anew::long_poll{anew::token_bucket{30}}, anew::server_hint<>{});
  });
}

TEST(MachineEquivalence, AQuotaOfTime) {
  expect_equal(90'000, [](auto const& with) {
    return with(growing, anew::full_jitter{}, anew::unbounded{},
                anew::refilling_bucket<3, 700ms, anew::when_empty::reserve, 2s>{});
  });
}

TEST(MachineEquivalence, QuotasThatCountCalls) {
  expect_equal(100'000, [](auto const& with) {
    return with(growing, anew::max_attempts<5>{}, anew::concurrency_budget{100, 0}, anew::deadline<30s>{});
  });
  expect_equal(110'000,
               [](auto const& with) { return with(growing, anew::max_attempts<5>{}, anew::retry_budget<50, 0>{}); });
}

TEST(MachineEquivalence, ByKindWithAReset) {
  expect_equal(120'000, [](auto const& with) {
    return with(anew::by_kind_backoff<anew::for_kind<error_kind::throttling, anew::exponential_backoff<1s, 20s>>,
                                      anew::exponential_backoff<50ms, 5s>>{},
                anew::max_attempts_by_kind<anew::for_kind<error_kind::throttling, anew::max_attempts<5>>,
                                           anew::max_attempts<3>>{},
                anew::reset_after<5s>{}, support::audited_quota{});
  });
}

TEST(MachineEquivalence, ALimitForEachAttempt) {
  expect_equal(130'000, [](auto const& with) {
    return with(growing, anew::max_attempts<5>{}, anew::deadline<10s>{},
                anew::attempt_timeout_share<anew::rational{1, 2}>{});
  });
}

}  // namespace
}  // namespace machine_equivalence_test
