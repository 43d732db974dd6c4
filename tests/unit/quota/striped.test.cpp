// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/policies/quota/token_bucket.hpp"

#include "budget_support.hpp"
#include "length.hpp"
#include "together.hpp"

namespace quota_striped_test {
namespace {

using anew::error_kind;
using anew::failure;
using anew::payment;
using anew::refund;
using anew::retry_costs;
using anew::striped;
using anew::token_bucket;
using namespace std::chrono_literals;
using anew::concurrency_budget;
using anew::retry_budget;
using anew::time_point;
using support::call;
using support::drain;

constexpr failure transient{.kind = error_kind::transient};

TEST(Striped, MovesItsTokensAndLeavesNone) {
  striped<token_bucket<anew::run_time_count>, 3> from{500, retry_costs{}, 500};
  ASSERT_TRUE(from.try_acquire(transient));
  for (int n = 0; n < 4; ++n) from.on_success(0);
  striped const to{std::move(from)};
  EXPECT_EQ(to.policy().balance(), 490U);
  EXPECT_EQ(from.policy().balance(), 0U);  // NOLINT(bugprone-use-after-move): its state is documented
  from.on_success(0);
  EXPECT_EQ(from.policy().balance(), 1U);
}

/// A bucket and its striped form, asked the same.
template <class Bucket, unsigned Stripes>
struct both {
  Bucket plain;
  striped<Bucket, Stripes> counted;

  void follow(std::uint32_t seed, int steps) {
    anew::generator dice{seed, 19};
    auto const shares_of_success = static_cast<std::uint32_t>(dice() % 1000);
    std::vector<std::uint32_t> out;
    for (int step = 0; step < steps; ++step) {
      if (dice() % 1000 < shares_of_success) {
        plain.on_success(0);
        counted.on_success(0);
      } else if (!out.empty() && dice() % 2 == 0) {
        auto const permit = out.back();
        out.pop_back();
        bool const succeeds = dice() % 2 == 0;
        succeeds ? plain.on_success(permit) : plain.release(permit);
        succeeds ? counted.on_success(permit) : counted.release(permit);
      } else {
        failure const what{.kind = static_cast<error_kind>(dice() % 5)};
        auto const permit = plain.try_acquire(what);
        ASSERT_EQ(permit, counted.try_acquire(what)) << "seed " << seed << ", step " << step;
        if (permit && dice() % 4 != 0) out.push_back(*permit);
      }
      ASSERT_EQ(plain.balance(), counted.policy().balance()) << "seed " << seed << ", step " << step;
    }
  }
};

TEST(Striped, DecidesAsThePlainBucket) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    both<token_bucket<500>, 8>{}.follow(seed, 4'000);
    both<token_bucket<20>, 1>{}.follow(seed, 4'000);
    both<token_bucket<50, retry_costs{}, refund::fraction(1, 3)>, 2>{}.follow(seed, 4'000);
    both<token_bucket<50, retry_costs{}, refund::fixed(3), payment::partial>, 8>{}.follow(seed, 4'000);
    both<token_bucket<4'294'967'295, retry_costs::all(4'294'967'295), refund::fixed(2'000'000'000)>, 8>{}.follow(seed,
                                                                                                                 4'000);
    both<token_bucket<0>, 8>{}.follow(seed, 400);
  }
}

// More successes than 32 bits can count: the stripes wrap, and nobody sees it.
TEST(Striped, CountsBeyond32Bits) {
  constexpr auto large = refund::fixed(10'000);
  token_bucket<100'000'000, retry_costs::all(50'000'000), large> const plain;
  striped<token_bucket<100'000'000, retry_costs::all(50'000'000), large>> const counted;
  for (int round = 0; round < 200; ++round) {
    ASSERT_EQ(plain.try_acquire(transient), counted.try_acquire(transient)) << round;
    for (int n = 0; n < 4'000; ++n) {
      plain.on_success(0);
      counted.on_success(0);
    }
    ASSERT_EQ(plain.balance(), counted.policy().balance()) << round;
  }
}

TEST(Striped, NeverGrantsMoreThanWasEarned) {
  for (std::uint32_t round = 0; round < 100; ++round) {
    striped<token_bucket<1'000>> const bucket;
    std::vector<std::int64_t> spent(4);
    support::together(4, [&](unsigned index) {
      anew::generator dice{index, round};
      for (int n = 0; n < 2'000; ++n) {
        if (dice() % 8 != 0) {
          bucket.on_success(0);
          spent[index] -= 1;
        } else if (auto const permit = bucket.try_acquire(transient)) {
          spent[index] += *permit;
          if (dice() % 2 == 0) {
            bucket.release(*permit);
            spent[index] -= *permit;
          }
        }
      }
    });
    std::int64_t out = 0;
    for (auto const each : spent) out += each;
    EXPECT_LE(bucket.policy().balance(), 1'000U);
    EXPECT_LE(bucket.policy().balance() + out, 1'000) << "tokens from nowhere, round " << round;
  }
}

constexpr time_point start{1000s};

TEST(StripedBudget, GoesOnWithWhatThePlainBudgetCountedAndMovesWithEverything) {
  retry_budget plain{50, 2, 5s};
  call(plain, start, 8);
  EXPECT_TRUE(plain.try_acquire(failure{}, start));
  striped from{std::move(plain)};
  EXPECT_EQ(from.policy().balance(start), 13U);
  EXPECT_EQ(from.policy().balance(start + 5s), 10U);
  support::together(3, [&](unsigned) { call(from, start, 4); });
  auto const permit = from.try_acquire(failure{}, start);
  striped const to{std::move(from)};
  EXPECT_EQ(to.policy().balance(start), 18U);
  to.release(*permit);
  EXPECT_EQ(drain(to, start + 1s), 19U);
}

// The nine older tenths are summed once; a call that comes late counts all the same.
TEST(StripedBudget, ACallWhoseClockIsBehindCountsAtOnce) {
  striped<retry_budget<100, 0, 10s>> const budget;
  EXPECT_EQ(drain(budget, start), 0U);
  call(budget, start - 3s, 2);
  EXPECT_EQ(drain(budget, start), 2U);
  call(budget, start, 1);
  call(budget, start - 9s, 1);
  EXPECT_EQ(drain(budget, start), 2U);
  call(budget, start - 10s, 1);
  EXPECT_EQ(drain(budget, start), 0U);
  EXPECT_EQ(budget.policy().balance(start + 1s), 0U);
}

// A retry whose clock is behind spends at the newest time that a call was made at.
TEST(StripedBudget, ARetryWhoseClockIsBehindSpendsNow) {
  striped<retry_budget<100, 1, 1s>> const budget;
  call(budget, start, 1);
  EXPECT_EQ(drain(budget, start - 5s), 2U);
  EXPECT_EQ(drain(budget, start), 0U);
}

TEST(StripedBudget, WithoutAPercentageCallsCountNothing) {
  striped<retry_budget<0, 2, 1s>> const budget;
  call(budget, start + 1h, 1);
  EXPECT_EQ(drain(budget, start), 2U);
}

/// A budget and its striped form, which are told and asked the same by threads that begin and end.
class twins {
 public:
  twins(std::uint64_t seed, int percent, int per_second, anew::duration window)
      : plain_{percent, per_second, window},
        striped_{retry_budget{percent, per_second, window}},
        tenth_{window.count() / 10},
        dice_{seed, 3},
        now_{begin()} {}

  void follow(int threads) {
    for (int t = 0; t < threads; ++t) {
      std::thread{[this] {
        for (int step = 0; step < 60 && !testing::Test::HasFatalFailure(); ++step) act();
      }}.join();
    }
  }

 private:
  using budget = decltype(retry_budget{20, 10, 10s});

  std::int64_t begin() {
    auto const anywhere = static_cast<std::int64_t>(dice_());
    return dice_() % 8 == 0 ? std::numeric_limits<std::int64_t>::min() + below(tenth_) : anywhere / 2;
  }
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(dice_() % static_cast<std::uint64_t>(bound));
  }
  /// From a nanosecond to a year, each order of magnitude as often; mostly none.
  std::int64_t pause() {
    if (dice_() % 8 != 0) return dice_() % 4 == 0 ? below(tenth_) : 0;
    auto const shortest = std::int64_t{1} << below(55);
    return shortest + below(shortest);
  }
  void act() {
    auto const by = pause();
    now_ = now_ > std::numeric_limits<std::int64_t>::max() - by ? now_ : now_ + by;
    // Now and then a clock is behind, by up to two windows.
    auto const late = dice_() % 16 == 0 ? below(20 * tenth_) : 0;
    auto const at = now_ < std::numeric_limits<std::int64_t>::min() + late ? now_ : now_ - late;
    time_point const now{anew::duration{at}};
    switch (dice_() % 8) {
      default:
        plain_.on_call(now);
        striped_.on_call(now);
        break;
      case 0:
      case 1:
      case 2: {
        auto const permit = plain_.try_acquire(failure{}, now);
        ASSERT_EQ(permit, striped_.try_acquire(failure{}, now));
        if (permit) permits_.push_back(*permit);
        break;
      }
      case 3:
        if (permits_.empty()) break;
        std::swap(permits_[dice_() % permits_.size()], permits_.back());
        plain_.release(permits_.back());
        striped_.release(permits_.back());
        permits_.pop_back();
    }
    ASSERT_EQ(plain_.balance(now), striped_.policy().balance(now));
  }

  budget plain_;
  striped<budget, 3> striped_;
  std::int64_t tenth_;
  anew::generator dice_;
  std::int64_t now_;
  std::vector<std::uint32_t> permits_;
};

TEST(StripedBudget, DecidesAsThePlainBudget) {
  constexpr anew::duration windows[]{1s, 10s, 60s, 1'234'567'891ns};
  anew::generator dice{4, 4};
  for (std::uint64_t seed = 0; seed < support::length_of(60U) && !HasFatalFailure(); ++seed) {
    auto const percent = static_cast<int>(dice() % 3 == 0 ? dice() % 1001 : dice() % 101);
    SCOPED_TRACE(seed);
    twins{seed, percent, static_cast<int>(dice() % 4), windows[seed % 4]}.follow(40);
  }
}

/// What happened in each tenth, written down by each thread for itself.
struct ledger {
  static constexpr std::size_t most = 4096;
  std::vector<std::int64_t> calls = std::vector<std::int64_t>(most);
  std::vector<std::int64_t> retries = std::vector<std::int64_t>(most);
};

// Threads share a time that goes on while they work, so that each of them is behind the others now and then.
TEST(StripedBudget, NeverAboveTheBudgetInAnyWindow) {
  constexpr unsigned threads = 4;
  std::int64_t calls = 0;
  std::int64_t retries = 0;
  for (std::uint32_t round = 0; round < 20; ++round) {
    striped<retry_budget<20, 1, 1s>, 4> const budget;
    std::atomic<std::int64_t> time{0};
    std::vector<ledger> ledgers(threads);
    support::together(threads, [&](unsigned index) {
      anew::generator dice{index, round};
      auto& mine = ledgers[index];
      for (int n = 0; n < 4'000; ++n) {
        auto const roll = dice();
        if (roll % 64 == 0) time.fetch_add(30'000'000, std::memory_order_relaxed);
        if (roll % 4096 == 1) time.fetch_add(1'500'000'000, std::memory_order_relaxed);
        auto const ticks = time.load(std::memory_order_relaxed);
        time_point const now{anew::duration{ticks}};
        if (roll % 64 == 2) std::this_thread::yield();
        if ((roll >> 20U) % 2 == 0) {
          budget.on_call(now);
          ++mine.calls[static_cast<std::size_t>(ticks / 100'000'000)];
        } else if (auto const permit = budget.try_acquire(failure{}, now)) {
          ++mine.retries[*permit / 2];  // it has the number of the tenth in which it was counted
        }
      }
    });
    ledger all;
    for (auto const& each : ledgers) {
      for (std::size_t i = 0; i != ledger::most; ++i) {
        all.calls[i] += each.calls[i];
        all.retries[i] += each.retries[i];
      }
    }
    for (std::size_t last = 0; last != ledger::most; ++last) {
      calls += all.calls[last];
      retries += all.retries[last];
      if (all.retries[last] == 0) continue;
      std::int64_t spent = 0;
      std::int64_t allowed = 100;
      for (std::size_t i = last < 9 ? 0 : last - 9; i <= last; ++i) {
        spent += 100 * all.retries[i];
        allowed += 20 * all.calls[i];
      }
      EXPECT_LE(spent, allowed) << "round " << round << ", tenth " << last;
    }
  }
  EXPECT_GT(retries * 100, calls * 15) << "the budget was never used up";
}

TEST(StripedConcurrency, GoesOnWithWhatThePlainBudgetCounted) {
  concurrency_budget plain{10, 2};
  for (int i = 0; i < 50; ++i) plain.on_call(time_point{});
  auto const permit = plain.try_acquire(failure{});
  striped budget{std::move(plain)};
  EXPECT_EQ(budget.policy().calls(), 50U);
  EXPECT_EQ(budget.policy().retries(), 1U);
  EXPECT_EQ(budget.policy().balance(), 4U);
  budget.release(*permit);
  striped const moved{std::move(budget)};
  EXPECT_EQ(moved.policy().calls(), 50U);
  EXPECT_EQ(moved.policy().retries(), 0U);
}

// The least number is granted without a look at the calls, and is still a least number.
TEST(StripedConcurrency, TheLargestLeastNumberDoesNotWrapAround) {
  striped const budget{concurrency_budget{100, std::int64_t{4294967295}}};
  for (int i = 0; i < 3; ++i) budget.on_call(time_point{});
  auto const permit = budget.try_acquire(failure{});
  EXPECT_EQ(budget.policy().balance(), 4294967294U);
  budget.release(*permit);
  EXPECT_EQ(budget.policy().calls(), 3U);
}

/// A budget and its striped form, which are told and asked the same by threads that begin and end. A call may end on
/// another thread than the one that it began on.
void follow(std::uint64_t seed, int percent, int least) {
  concurrency_budget const plain{percent, least};
  striped<decltype(concurrency_budget{20, 3}), 3> const counted{percent, least};
  anew::generator dice{seed, 9};
  unsigned calls = 0;
  unsigned retries = 0;
  auto const shares_of_begun = 300 + dice() % 400;
  for (int thread = 0; thread < 40; ++thread) {
    std::thread{[&] {
      for (int step = 0; step < 60; ++step) {
        switch (dice() % 4) {
          case 0:
          case 1:
            if (dice() % 1000 < shares_of_begun) {
              plain.on_call(time_point{});
              counted.on_call(time_point{});
              ++calls;
            } else if (calls != 0) {
              plain.on_call_end();
              counted.on_call_end();
              --calls;
            }
            break;
          case 2: {
            auto const permit = plain.try_acquire(failure{});
            ASSERT_EQ(permit, counted.try_acquire(failure{}));
            retries += permit ? 1U : 0U;
            break;
          }
          default:
            if (retries == 0) break;
            --retries;
            plain.release(1);
            counted.release(1);
        }
        ASSERT_EQ(counted.policy().calls(), calls);
        ASSERT_EQ(counted.policy().retries(), retries);
        ASSERT_EQ(counted.policy().capacity(), plain.capacity());
        ASSERT_EQ(counted.policy().balance(), plain.balance());
      }
    }}.join();
  }
}

TEST(StripedConcurrency, DecidesAsThePlainBudget) {
  anew::generator dice{5, 5};
  for (std::uint64_t seed = 0; seed < 60 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    follow(seed, static_cast<int>(dice() % 101), static_cast<int>(dice() % 5));
  }
}

// Not std::counting_semaphore: where it has no futex, under Windows, libstdc++ 12's missed a release and slept for ever.
class room_for_two {
 public:
  void enter() {
    std::unique_lock lock{mutex_};
    is_free_.wait(lock, [this] { return left_ != 0; });
    --left_;
  }
  void leave() {
    {
      std::lock_guard const lock{mutex_};
      ++left_;
    }
    is_free_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable is_free_;
  int left_ = 2;
};

// At most two calls are ever under way, and each allows a retry. A count that took a call that has ended for one that is
// under way would allow a third.
TEST(StripedConcurrency, NeverMoreThanTheShareOfTheCallsUnderWay) {
  striped<concurrency_budget<100, 0>, 4> const budget;
  room_for_two room;
  std::atomic<int> out{0};
  std::atomic<int> exceeded{0};
  std::atomic<int> granted{0};
  for (unsigned round = 0; round < 10; ++round) {
    support::together(4, [&](unsigned index) {
      anew::generator dice{index, round};
      for (int n = 0; n < 2'000; ++n) {
        room.enter();
        budget.on_call(time_point{});
        unsigned held = 0;
        for (auto asked = dice() % 4; asked != 0; --asked) {
          if (!budget.try_acquire(failure{})) continue;
          ++held;
          granted.fetch_add(1, std::memory_order_relaxed);
          if (out.fetch_add(1) >= 2) exceeded.fetch_add(1);
        }
        for (; held != 0; --held) {
          out.fetch_sub(1);
          budget.release(1);
        }
        budget.on_call_end();
        room.leave();
      }
    });
    EXPECT_EQ(budget.policy().calls(), 0U);
    EXPECT_EQ(budget.policy().retries(), 0U);
  }
  EXPECT_EQ(exceeded.load(), 0);
  EXPECT_GT(granted.load(), 1'000);
}

}  // namespace
}  // namespace quota_striped_test
