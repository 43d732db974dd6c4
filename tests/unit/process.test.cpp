// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/bridges/process/concurrency_budget.hpp"
#include "anew/bridges/process/retry_budget.hpp"
#include "anew/bridges/process/token_bucket.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/state/saved_state.hpp"
#include "anew/testing/manual_clock.hpp"

#include "budget_support.hpp"
#include "names.hpp"
#include "process_support.hpp"
#include "rejection.hpp"
#include "together.hpp"

namespace process_test {
namespace {

using namespace anew;
using process::concurrency_budget, process::retry_budget, process::token_bucket;
using support::call, support::drain, support::in_a_child, support::place_of_its_own;

struct in_a_place : ::testing::Test {
  place_of_its_own const place;
};

/// Of a call that fails.
int attempts_of(auto const& strategy) {
  return static_cast<int>(retry_outcome(strategy, [] { return false; }).attempts());
}

static_assert(Quota<token_bucket> && Quota<shared<token_bucket>>);
static_assert(!std::is_default_constructible_v<token_bucket> && std::is_copy_constructible_v<token_bucket>);
static_assert(sizeof(token_bucket) == 2 * sizeof(void*));

struct ProcessTokenBucket : in_a_place {};
TEST_F(ProcessTokenBucket, IsSpentByAllProcesses) {
  token_bucket const bucket{place.path(), 42};
  auto const retries = [](token_bucket const& of, int attempts) {
    auto const s = compose(of, no_backoff{}, retry_all{}, max_attempts{attempts});
    return attempts_of(s) - 1;
  };
  EXPECT_EQ(retries(bucket, 2), 1);
  EXPECT_EQ(in_a_child([&] { return retries(token_bucket{place.path(), 42}, 2); }), 1);  // by its name
  EXPECT_EQ(in_a_child([&] { return retries(bucket, 9); }), 1);                          // by its parent's handle
  EXPECT_EQ(retries(bucket, 9), 0);
  EXPECT_EQ(bucket.balance(), 0U);
  EXPECT_EQ(in_a_child([&] {
              for (int i = 0; i < 50; ++i) bucket.on_success({});
              return 0;
            }),
            0);
  EXPECT_EQ(bucket.balance(), 42U);
}

TEST_F(ProcessTokenBucket, ASnapshotOmitsWhatItsFileKeeps) {
  auto const s = compose(token_bucket{place.path(), 42}, retry_all{});
  EXPECT_TRUE(snapshot(s, time_point{}).parts().empty());
}

TEST_F(ProcessTokenBucket, DecidesAsThePlainOne) {
  constexpr retry_costs costs{.transient = 7, .throttling = 3};
  constexpr auto back = refund::fraction(1, 3);
  token_bucket const bucket{place.path(), 100, costs, back, payment::partial};
  anew::token_bucket const plain{100, costs, back, payment::partial};
  generator dice{1, 1};
  token_bucket::permit_type held = 0;
  for (int i = 0; i < 10'000; ++i) {
    failure const f{dice() % 2 == 0 ? error_kind::transient : error_kind::throttling};
    auto const of_the_plain = static_cast<std::uint32_t>(held);
    switch (dice() % 4) {
      case 0: {
        auto const granted = bucket.try_acquire(f);
        auto const expected = plain.try_acquire(f);
        ASSERT_EQ(granted.has_value(), expected.has_value());
        held = granted.value_or(0);
        ASSERT_EQ(static_cast<std::uint32_t>(held), expected.value_or(0));
        break;
      }
      case 1:
        bucket.on_success({});
        plain.on_success({});
        break;
      case 2:
        bucket.on_success(held);
        plain.on_success(of_the_plain);
        break;
      default: bucket.release(held); plain.release(of_the_plain);
    }
    ASSERT_EQ(bucket.balance(), plain.balance());
  }
  EXPECT_EQ(bucket.capacity(), 100U);
}

TEST_F(ProcessTokenBucket, WhatAKilledProcessPaidIsSpent) {
  token_bucket const bucket{place.path(), 42};
  support::waiting_child caller{[&] {
    token_bucket const there{place.path(), 42};
    return there.try_acquire(failure{}) ? 1 : 0;
  }};
  ASSERT_EQ(caller.answer(), 1);
  caller.kill();
  EXPECT_EQ(bucket.balance(), 28U);
  for (int i = 0; i < 14; ++i) bucket.on_success({});
  EXPECT_EQ(bucket.balance(), 42U);
}

TEST_F(ProcessTokenBucket, CopiesAreOneBucket) {
  token_bucket const bucket{place.path(), 42};
  token_bucket copy{bucket};
  (void)copy.try_acquire(failure{});
  EXPECT_EQ(bucket.balance(), 28U);
  place_of_its_own const elsewhere;
  copy = token_bucket{elsewhere.path(), 14};
  EXPECT_EQ(copy.balance(), 14U);
  EXPECT_EQ(bucket.balance(), 28U);
  EXPECT_EQ(bucket.describe(), "process(" + place.path() + ",token_bucket(42))");
  EXPECT_EQ(bucket.path(), place.path());
}

TEST_F(ProcessTokenBucket, LongestTextFits) {
  constexpr std::uint32_t most = 4'294'967'295;
  token_bucket const bucket{place.path(), most, retry_costs::all(most), refund{most, 1, false}, payment::partial};
  EXPECT_EQ(bucket.capacity(), most);
  EXPECT_LT(bucket.describe().size() - place.path().size(), detail::quota_file::text_size);
}

// A balance above the capacity pays for no more than it says, and is not refilled.
TEST_F(ProcessTokenBucket, ContentsAreNotTrusted) {
  token_bucket const bucket{place.path(), 42};
  detail::quota_mapping const other{place.path(), "token_bucket(42)", 0, detail::all_kept_files()};
  *static_cast<std::uint32_t*>(other.body()) = 0xFFFF'FFFF;
  EXPECT_TRUE(bucket.try_acquire(failure{}));
  bucket.on_success(14);
  EXPECT_EQ(bucket.balance(), 0xFFFF'FFFFU - 14);
}

static_assert(Quota<retry_budget>);

constexpr time_point start{1000s};

struct ProcessRetryBudget : in_a_place {};
TEST_F(ProcessRetryBudget, CallsOfAllProcessesAllowRetriesOfAll) {
  retry_budget const budget{place.path(), 20, 1, 10s};
  EXPECT_EQ(budget.capacity(), 10U);
  EXPECT_EQ(in_a_child([&] {
              retry_budget const there{place.path(), 20, 1, 10s};
              call(there, start, 50);
              return static_cast<int>(drain(there, start));
            }),
            20);
  EXPECT_EQ(budget.balance(start), 0U);
  EXPECT_EQ(drain(budget, start + 8s), 0U);
  EXPECT_EQ(in_a_child([&] { return static_cast<int>(drain(budget, start + 10s)); }), 10);  // all of it is over
  EXPECT_EQ(drain(budget, start + 10s), 0U);
}

TEST_F(ProcessRetryBudget, DecidesAsThePlainOne) {
  retry_budget const budget{place.path(), 30, 2, 3s};
  anew::retry_budget const plain{30, 2, 3s};
  generator dice{1, 2};
  auto now = start;
  std::vector<retry_budget::permit_type> held;
  for (int i = 0; i < 20'000; ++i) {
    auto const roll = dice();
    now += roll % 1000 == 0 ? 5s : std::chrono::milliseconds{roll % 64 == 0 ? 70 : 0};
    switch (roll >> 20U & 3U) {
      case 0:
      case 1:
        budget.on_call(now);
        plain.on_call(now);
        break;
      case 2: {
        auto const granted = budget.try_acquire(failure{}, now);
        ASSERT_EQ(static_cast<std::uint32_t>(granted.value_or(0)), plain.try_acquire(failure{}, now).value_or(0));
        if (granted) held.push_back(*granted);
        break;
      }
      default:
        if (held.empty()) break;
        budget.release(held.back());
        plain.release(static_cast<std::uint32_t>(held.back()));
        held.pop_back();
    }
    ASSERT_EQ(budget.balance(now), plain.balance(now));
  }
}

TEST_F(ProcessRetryBudget, InAStrategyItHasTheStrategysTime) {
  manual_clock const clock;
  auto const s = compose(retry_budget{place.path(), 0, 1, 2s}, no_backoff{}, retry_all{}, max_attempts<9>{}, clock);
  EXPECT_EQ(attempts_of(s), 3);
  EXPECT_EQ(attempts_of(s), 1);
  clock.advance(2s);
  EXPECT_EQ(attempts_of(s), 3);
  EXPECT_EQ(s.quota().describe(), "process(" + place.path() + ",retry_budget(0%,1/s,2s))");
}

// Whatever stands in the file, no function goes on for ever.
TEST_F(ProcessRetryBudget, ContentsAreNotTrusted) {
  retry_budget const budget{place.path(), 20, 10, 10s};
  detail::quota_mapping const other{place.path(), "retry_budget(20%,10/s,10s)", 0, detail::all_kept_files()};
  auto* const words = static_cast<std::uint64_t*>(other.body());
  generator dice{1, 3};
  constexpr std::uint64_t closed = std::uint64_t{1} << 25U;
  auto const number = detail::counted_tenth::number_at(start, 1'000'000'000);
  for (int i = 0; i < 20'000; ++i) {
    for (int word = 0; word < 24; ++word) {
      auto const near = detail::counted_tenth::empty(number + dice() % 32 - 16);
      auto const roll = dice();
      words[word] = roll % 4 == 0 ? dice() : roll % 4 == 1 ? 0 : near | (dice() & (closed | 3));
    }
    if (dice() % 2 == 0) words[22] = number + dice() % 32 - 16;
    auto const now = start + std::chrono::seconds{dice() % 20};
    budget.on_call(now);
    if (auto const permit = budget.try_acquire(failure{}, now)) budget.release(*permit);
    budget.release(static_cast<std::uint32_t>(dice()) | 1U);
    (void)budget.balance(now);
  }
}

static_assert(Quota<concurrency_budget> && detail::CountsCallsUnderWay<concurrency_budget>);
static_assert(detail::CountsCallsUnderWay<shared<concurrency_budget>>);

struct ProcessConcurrencyBudget : in_a_place {};
TEST_F(ProcessConcurrencyBudget, GrantsAShareOfTheCallsOfAllProcesses) {
  concurrency_budget const budget{place.path(), 20, 1};
  EXPECT_EQ(budget.capacity(), 1U);
  support::waiting_child caller{[&] {
    auto* const there = new concurrency_budget{place.path(), 20, 1};
    for (int i = 0; i < 25; ++i) there->on_call(time_point{});
    return drain(*there) - 3;
  }};
  EXPECT_EQ(caller.answer(), 2);
  EXPECT_EQ(budget.calls(), 25U);
  EXPECT_EQ(budget.capacity(), 5U);
  EXPECT_EQ(budget.retries(), 5U);
  EXPECT_EQ(budget.balance(), 0U);
  EXPECT_FALSE(budget.try_acquire(failure{}));
  for (int i = 0; i < 5; ++i) budget.on_call(time_point{});
  EXPECT_EQ(budget.balance(), 1U);
  EXPECT_EQ(drain(budget), 1U);
}

TEST_F(ProcessConcurrencyBudget, CallsOfAStrategyReturnWhatTheyHold) {
  concurrency_budget const budget{place.path(), 0, 1};
  auto const s = compose(budget, no_backoff{}, retry_all{}, max_attempts<4>{});
  int attempts = 0;
  EXPECT_FALSE(retry(s, [&] {
    EXPECT_EQ(budget.calls(), 1U);
    EXPECT_EQ(budget.retries(), attempts == 0 ? 0U : 1U);
    return ++attempts, false;
  }));
  EXPECT_EQ(attempts, 4);
  EXPECT_EQ(budget.calls(), 0U);
  EXPECT_EQ(budget.retries(), 0U);
  EXPECT_EQ(s.quota().describe(), "process(" + place.path() + ",concurrency_budget(0%,1))");
}

// A worker that a server forks makes calls through the strategy that it inherited, and is counted apart.
TEST_F(ProcessConcurrencyBudget, ForkedWorkersShareTheStrategyOfTheServer) {
  auto const s = compose(concurrency_budget{place.path(), 0, 2}, no_backoff{}, retry_all{}, max_attempts<3>{});
  auto const held = s.quota().try_acquire(failure{});
  ASSERT_TRUE(held);
  EXPECT_EQ(in_a_child([&] {
              if (attempts_of(s) != 3 || s.quota().retries() != 1) return 1;
              (void)drain(s.quota());
              return s.quota().retries() == 2 ? 0 : 2;
            }),
            0);
  EXPECT_EQ(s.quota().retries(), 2U);
  s.quota().release(*held);
  while (s.quota().retries() != 0) {  // the first refusal 10 ms after it was last looked
    if (auto const permit = s.quota().try_acquire(failure{})) s.quota().release(*permit);
    auto const one = s.quota().try_acquire(failure{});
    auto const two = s.quota().try_acquire(failure{});
    for (auto const& each : {one, two}) {
      if (each) s.quota().release(*each);
    }
  }
}

TEST_F(ProcessConcurrencyBudget, AWorkerAsksWhetherItIsCounted) {
  auto const* const removed =
      "was removed, or is outside of this root directory; a process that opens it now shares another quota";
  concurrency_budget const budget{place.path(), 0, 2};
  EXPECT_EQ(budget.last_error(), "");
  EXPECT_EQ(in_a_child([&] { return budget.last_error().empty() && drain(budget) == 2 ? 0 : 1; }), 0);
  ::unlink(place.path().c_str());
  EXPECT_EQ(in_a_child([&] { return budget.last_error() == removed && drain(budget) == 2 ? 0 : 1; }), 0);
}

TEST_F(ProcessConcurrencyBudget, ThreadsOfAProcessShareItsSlot) {
  concurrency_budget const budget{place.path(), 0, 3};
  concurrency_budget const opened_again{place.path(), 0, 3};
  std::uint32_t out = 0;
  std::uint32_t most = 0;
  support::together(2, [&](unsigned index) {
    generator dice{index, 4};
    auto const& mine = index == 0 ? budget : opened_again;
    std::vector<std::uint32_t> held;
    for (int i = 0; i < 20'000; ++i) {
      mine.on_call(time_point{});
      if (held.size() < 3 && dice() % 2 == 0) {
        if (auto const permit = mine.try_acquire(failure{})) {
          held.push_back(*permit);
          auto const now = __atomic_add_fetch(&out, 1, __ATOMIC_SEQ_CST);
          if (now > 3) __atomic_store_n(&most, now, __ATOMIC_SEQ_CST);
        }
      } else if (!held.empty()) {
        __atomic_sub_fetch(&out, 1, __ATOMIC_SEQ_CST);
        mine.release(held.back());
        held.pop_back();
      }
      mine.on_call_end();
    }
    for (auto const permit : held) {
      __atomic_sub_fetch(&out, 1, __ATOMIC_SEQ_CST);
      mine.release(permit);
    }
  });
  EXPECT_EQ(most, 0U);
  EXPECT_EQ(budget.retries(), 0U);
  EXPECT_EQ(budget.calls(), 0U);
  EXPECT_EQ(drain(budget), 3U);
}

TEST(ProcessQuotas, NumbersOfNoQuotaAreRefused) {
  place_of_its_own const place;
  EXPECT_REJECTED((token_bucket{place.path(), 13}),
                  "anew::token_bucket: capacity must be 0 or at least the cost of one retry, but is 13 (cost 14)");
  EXPECT_REJECTED((retry_budget{place.path(), 1001, 1, 10s}),
                  "anew::retry_budget: percent must be between 0 and 1000, but is 1001");
  EXPECT_REJECTED((concurrency_budget{place.path(), 101, 3}),
                  "anew::concurrency_budget: percent must be between 0 and 100, but is 101");
}

}  // namespace
}  // namespace process_test
