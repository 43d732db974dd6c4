// SPDX-License-Identifier: BSL-1.0
// Laws 4, 5, 6 and 11, of every quota: two threads throw, fail, give up and let tokens go out of scope, after which every
// balance is what it was. Two million operations where races are looked for, fewer elsewhere.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"
#include "anew/process.hpp"
#include "anew/testing/manual_clock.hpp"

#include "length.hpp"
#include "names.hpp"
#include "process_support.hpp"
#include "sanitized.hpp"
#include "together.hpp"

namespace {

constexpr unsigned thread_count = 2;
// Of each thread. What a race does to a balance is not about memory.
constexpr std::uint64_t operations = support::watches_threads ? 1'000'000 : support::watches_memory ? 50'000 : 500'000;
constexpr time_point start{1000s};

/// Runs `work(index)` in several threads that begin together.
void together(auto const& work) { support::together(thread_count, work); }

/// What counts, of a quota that is shared or striped.
auto const& counting(auto const& q) {
  if constexpr (requires { q.policy(); }) return q.policy();
  if constexpr (!requires { q.policy(); }) return q;
}
/// Its balance when all calls are over. Where successes pay for retries, they have paid then.
std::uint64_t balance_of(auto const& q, time_point now) {
  auto const& counts = counting(q);
  if constexpr (requires { counts.balance(now); }) {
    return counts.balance(now);
  } else if constexpr (requires { counts.calls(); }) {
    EXPECT_EQ(counts.calls() + counts.retries(), 0U);
  } else {
    for (int i = 0; i < 1000; ++i) q.on_success({});
  }
  if constexpr (!requires { counts.balance(now); }) return counts.balance();
}

constexpr anew::retry_costs costs{.transient = 7, .throttling = 3};
using bucket = anew::token_bucket<1000, costs>;
using reserving = anew::refilling_bucket<100, 1us, anew::when_empty::reserve, 50us>;
using windowed = anew::retry_budget<20, 10, 1s>;
using concurrency = anew::concurrency_budget<20, 1>;
/// Of many processes, with threads of one.
struct process_bucket : anew::process::token_bucket {
  process_bucket() : token_bucket{support::of_no_other_process<token_bucket>(1000, costs)} {}
};
struct process_concurrency : anew::process::concurrency_budget {
  process_concurrency() : concurrency_budget{support::of_no_other_process<concurrency_budget>(20, 1)} {}
};

template <class Quota>
class EveryQuota : public testing::Test {};
using quotas = testing::Types<bucket, anew::refilling_bucket<1000, 1us>, reserving, windowed, concurrency,
                              anew::retry_throttle<100>, anew::shared<bucket>, anew::striped<bucket>,
                              anew::striped<windowed>, anew::striped<concurrency>, process_bucket, process_concurrency>;
TYPED_TEST_SUITE(EveryQuota, quotas);

/// The time of all threads, which goes on as they work: once in so many operations, by a microsecond or a tenth of a second.
struct passing_time {
  [[nodiscard]] time_point now() const noexcept { return time_point{anew::duration{ticks_.load()}}; }
  void pass(std::uint64_t roll) noexcept {
    if (roll % 64 == 0) ticks_.fetch_add(roll % 65536 == 0 ? 100'000'000 : 1'000);
  }
  void pause(anew::duration length) noexcept { ticks_.fetch_add(length.count()); }
  [[nodiscard]] time_point the_end() const noexcept { return now() + 1h; }

 private:
  std::atomic<std::int64_t> ticks_{start.time_since_epoch().count()};
};

struct clock_of {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] time_point now() const noexcept { return time->now(); }
  passing_time const* time;
};

constexpr failure failures[] = {{.kind = anew::error_kind::transient}, {.kind = anew::error_kind::throttling}};

// Acquire, success, failure, release, in any order and number: with what a strategy would do.
TYPED_TEST(EveryQuota, TokensThatComeAndGoLeaveTheBalanceAsItWas) {
  passing_time time;
  auto const s = anew::compose(TypeParam{}, anew::exponential_backoff<1ms, 1s>{}, anew::no_jitter{},
                               anew::max_attempts<4>{}, anew::retry_all{}, clock_of{&time});
  auto const before = balance_of(s.quota(), time.now());
  together([&](unsigned index) {
    anew::generator dice{index, 21};
    std::uint64_t done = 0;
    while (done < operations) {
      auto token = s.acquire_initial_token();
      for (bool is_over = false; !is_over; ++done) {
        auto const roll = dice();
        time.pass(roll >> 20U);
        switch (roll % 8) {
          case 0:
          case 1:
          case 2:
            s.record_success(std::move(token));
            is_over = true;
            break;
          case 3: is_over = true; break;  // destroyed: gives back what it holds
          case 4: {
            auto moved = std::move(token);
            token = std::move(moved);
            break;
          }
          default: {
            auto next = s.refresh_retry_token(std::move(token), failures[(roll >> 8U) % 2]);
            is_over = !next;
            if (next) token = *std::move(next);
          }
        }
      }
    }
  });
  EXPECT_EQ(balance_of(s.quota(), time.the_end()), before);
}

/// Threads of acquisitions and releases alone, each of which knows how much is out.
template <class Quota>
void never_more_out_than(Quota const& quota, std::uint64_t most, time_point now) {
  std::atomic<std::uint64_t> out{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<bool> exceeded{false};
  together([&](unsigned index) {
    anew::generator dice{index, 23};
    std::vector<typename Quota::permit_type> held;
    std::uint64_t turned_down = 0;
    for (std::uint64_t i = 0; i < operations / 4; ++i) {
      if (held.size() < 16 && dice() % 2 == 0) {
        if (auto const permit = anew::detail::try_acquire(quota, failure{}, now)) {
          held.push_back(*permit);
          if (out.fetch_add(1) + 1 > most) exceeded = true;
        } else {
          ++turned_down;
        }
      } else if (!held.empty()) {
        out.fetch_sub(1);
        quota.release(held.back());
        held.pop_back();
      }
    }
    for (auto const& permit : held) {
      out.fetch_sub(1);
      quota.release(permit);
    }
    refused += turned_down;
  });
  EXPECT_FALSE(exceeded);
  EXPECT_GT(refused, 0U);
  std::uint64_t granted = 0;
  while (granted <= most && anew::detail::try_acquire(quota, failure{}, now)) ++granted;
  EXPECT_EQ(granted, most);
}

TEST(EveryQuotaAtItsEnd, NeverMoreIsOutThanThereIs) {
  never_more_out_than(anew::token_bucket<140>{}, 10, start);
  never_more_out_than(anew::refilling_bucket<10, 1s>{}, 10, start);
  never_more_out_than(anew::refilling_bucket<8, 1s, anew::when_empty::reserve, 2s>{}, 10, start);
  never_more_out_than(anew::retry_budget<0, 10, 1s>{}, 10, start);
  never_more_out_than(anew::concurrency_budget<0, 10>{}, 10, start);
  never_more_out_than(anew::striped<anew::token_bucket<140>>{}, 10, start);
  never_more_out_than(anew::striped<anew::retry_budget<0, 10, 1s>>{}, 10, start);
  never_more_out_than(anew::striped<anew::concurrency_budget<0, 10>>{}, 10, start);
  never_more_out_than(anew::shared<anew::token_bucket<140>>{}, 10, start);
  never_more_out_than(support::of_no_other_process<anew::process::token_bucket>(140), 10, start);
  never_more_out_than(support::of_no_other_process<anew::process::retry_budget>(0, 10, 1s), 10, start);
  never_more_out_than(support::of_no_other_process<anew::process::concurrency_budget>(0, 10), 10, start);
  anew::partitioned<int, anew::token_bucket<140>> partitions{1};
  never_more_out_than(partitions.at(1), 10, start);
}

// While the window moves on under both: no more is granted than was allowed within any window.
void grants_no_more_than_the_window_has(auto const& budget) {
  std::atomic<std::uint64_t> allowed{0};
  std::atomic<std::uint64_t> granted{0};
  std::atomic<bool> exceeded{false};
  passing_time time;
  together([&](unsigned index) {
    anew::generator dice{index, 24};
    for (std::uint64_t i = 0; i < operations / 4; ++i) {
      auto const roll = dice();
      time.pass(roll >> 20U);
      if (roll % 2 == 0) {
        ++allowed;
        budget.on_call(time.now());
      } else if (budget.try_acquire(failure{}, time.now())) {
        if (++granted > allowed) exceeded = true;
      }
    }
  });
  EXPECT_FALSE(exceeded);
  EXPECT_GT(granted, 0U);
  EXPECT_EQ(balance_of(budget, time.the_end()), 0U);
}
TEST(RetryBudgetUnderContention, GrantsNoMoreThanTheWindowHas) {
  grants_no_more_than_the_window_has(anew::retry_budget<100, 0, 1s>{});
  grants_no_more_than_the_window_has(anew::striped<anew::retry_budget<100, 0, 1s>>{});
}

// Whatever the threads' clocks say of each other, and however long nobody came: ten in any window, and no more.
TEST(RetryBudgetUnderContention, ClocksThatAreBehindEachOther) {
  anew::retry_budget<0, 10, 1s> const budget;
  std::atomic<std::uint64_t> granted{0};
  passing_time time;
  std::atomic<std::uint64_t> pauses{0};
  together([&](unsigned index) {
    anew::generator dice{index, 25};
    std::uint64_t mine = 0;
    for (std::uint64_t i = 0; i < operations / 4; ++i) {
      auto const roll = dice();
      time.pass(roll >> 20U);
      if (roll % 131'072 == 0) {
        time.pause(20s);
        ++pauses;
      }
      auto const late = std::chrono::milliseconds{index == 0 ? 0 : 100 * static_cast<int>((roll >> 40U) % 12)};
      if (auto const permit = budget.try_acquire(failure{}, time.now() - late)) {
        // Some are given back, also after their tenth is over.
        if (roll % 64 == 1) {
          budget.release(*permit);
        } else {
          ++mine;
        }
      }
    }
    granted += mine;
  });
  auto const windows = static_cast<std::uint64_t>((time.now() - start) / 1s) + 1 - 19 * pauses.load();
  EXPECT_LE(granted, 10 * (windows + 1));
  EXPECT_GT(granted, 5 * windows);
  EXPECT_EQ(budget.balance(time.the_end()), 10U);
}

// Closed forms: what a service that is down gets.
TEST(ClosedForms, AnOutageGetsSoManyRetries) {
  auto const retries = [](auto quota) {
    anew::testing::manual_clock const clock;
    auto const s = anew::compose(std::move(quota), anew::no_backoff{}, anew::max_attempts<3>{}, clock);
    int count = 0;
    for (int call = 0; call < 1000; ++call) {
      clock.advance(1ms);
      auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
      while (next) {
        ++count;
        next = s.refresh_retry_token(*std::move(next), failure{});
      }
    }
    return count;
  };
  EXPECT_EQ(retries(anew::token_bucket<500>{}), 35);
  EXPECT_EQ(retries(anew::token_bucket<500, anew::retry_costs{.transient = 10}>{}), 50);
  EXPECT_EQ(retries(anew::token_bucket<500, anew::retry_costs{.transient = 5}>{}), 100);
  EXPECT_EQ(retries(anew::refilling_bucket<10, 100ms>{}), 10 + 9);  // and 10 a second; the first at 1 ms
  EXPECT_EQ(retries(anew::retry_budget<20, 0, 10s>{}), 200);
  EXPECT_EQ(retries(anew::retry_budget<20, 10, 10s>{}), 300);
  EXPECT_EQ(retries(anew::retry_throttle<100>{}), 33);
  EXPECT_EQ(retries(anew::concurrency_budget<20, 0>{}), 0);     // one call at a time
  EXPECT_EQ(retries(anew::concurrency_budget<20, 1>{}), 2000);  // and the floor lets it
}

}  // namespace
