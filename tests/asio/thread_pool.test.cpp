// SPDX-License-Identifier: BSL-1.0
// Calls on a pool of threads: for ThreadSanitizer, and for what must hold however the threads meet.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"

#include "asio_names.hpp"
#include "asio_support.hpp"

namespace {

constexpr std::size_t threads = 3;
constexpr std::size_t calls = 2'000;

struct tally {
  std::atomic<std::uint64_t> attempts{0}, completions{0}, failures{0}, attempts_after_a_stop{0};
};

/// Three of ten attempts fail; each goes once through the pool. It keeps a count that nothing guards: one attempt at a
/// time is what a call promises.
struct pooled {
  net::thread_pool* pool;
  tally* all;
  std::uint64_t seed;
  std::uint64_t made = 0;
  bool const* is_stopped = nullptr;

  template <class Token>
  auto operator()(anew::attempt& self, Token&& token) {
    return net::async_initiate<Token, void(error_code, std::uint64_t)>(
        [](auto handler, pooled& of, std::uint32_t number) {
          EXPECT_EQ(++of.made, number);
          ++of.all->attempts;
          if (of.is_stopped != nullptr && *of.is_stopped) ++of.all->attempts_after_a_stop;
          error_code error{};
          if (support::numbers{of.seed + number}.percent(30)) error = net::error::connection_refused;
          net::post(*of.pool, net::append(std::move(handler), error, of.seed));
        },
        token, *this, self.number());
  }
};

void run_in_the_pool(auto const& strategy) {
  support::memory_books memory;
  tally all;
  std::vector<std::uint8_t> completions(calls, 0);
  {
    net::thread_pool pool{threads};
    for (std::size_t i = 0; i < calls; ++i) {
      anew::async_retry(
          strategy, pooled{&pool, &all, i * 100},
          net::bind_allocator(support::counting_allocator<void>{memory},
                              net::bind_executor(pool.get_executor(), [&, i](error_code error, auto seed) {
                                ++completions[i];
                                ++all.completions;
                                if (error || seed != i * 100) ++all.failures;
                              })));
    }
    pool.join();
  }
  EXPECT_EQ(completions, std::vector<std::uint8_t>(calls, 1));
  EXPECT_EQ(all.failures, 0U);
  EXPECT_GT(all.attempts, calls * 13 / 10);
  EXPECT_TRUE(memory.is_balanced());
  EXPECT_EQ(strategy.quota().calls(), 0U);
  EXPECT_EQ(strategy.quota().retries(), 0U);
}

using plain = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, anew::max_attempts<100>,
                             anew::concurrency_budget<100, 100>>;

TEST(ThreadPool, CallsThatRetryAtOnce) {
  plain const strategy{};
  run_in_the_pool(strategy);
}

TEST(ThreadPool, CallsThatWaitByTheClock) {
  anew::with<plain, anew::constant_backoff<100us>> const strategy{};
  run_in_the_pool(strategy);
}

/// One operation for all, and nothing in the call until it fails.
TEST(ThreadPool, OneOperationByReference) {
  plain const strategy{};
  std::atomic<std::uint64_t> attempts{0};
  std::atomic<std::uint64_t> completions{0};
  net::thread_pool pool{threads};
  auto operation = [&](auto&& token) {
    return net::async_initiate<decltype(token), void(error_code)>(
        [&](auto handler) {
          error_code error{};
          if (support::numbers{++attempts}.percent(30)) error = net::error::connection_refused;
          net::post(pool, net::append(std::move(handler), error));
        },
        token);
  };
  for (std::size_t i = 0; i < calls; ++i) {
    anew::async_retry(strategy, std::ref(operation), net::bind_executor(pool.get_executor(), [&](error_code error) {
                        EXPECT_FALSE(error);
                        ++completions;
                      }));
  }
  pool.join();
  EXPECT_EQ(completions, calls);
  EXPECT_GT(attempts, calls * 13 / 10);
  EXPECT_EQ(strategy.quota().calls(), 0U);
}

/// A call on a strand, with what else lives there.
struct on_strand {
  explicit on_strand(net::thread_pool& pool) : strand{net::make_strand(pool)} {}
  net::strand<net::thread_pool::executor_type> strand;
  net::cancellation_signal signal;
  bool is_stopped = false;
  std::uint32_t completions = 0;
};

TEST(ThreadPool, CallsOnStrandsWithLimitsAreStoppedFromOtherThreads) {
  anew::with<plain, anew::constant_backoff<1h>, anew::attempt_timeout<1h>> const strategy{};
  support::memory_books memory;
  tally all;
  {
    net::thread_pool pool{threads};
    std::vector<std::unique_ptr<on_strand>> homes;
    for (std::size_t i = 0; i < calls; ++i) homes.push_back(std::make_unique<on_strand>(pool));
    for (std::size_t i = 0; i < calls; ++i) {
      auto& home = *homes[i];
      auto const begin = [&, i] {
        anew::async_retry(
            strategy, pooled{&pool, &all, i * 100, 0, &home.is_stopped},
            net::bind_cancellation_slot(
                home.signal.slot(), net::bind_allocator(support::counting_allocator<void>{memory},
                                                        net::bind_executor(home.strand, [&](error_code error, auto) {
                                                          ++home.completions;
                                                          ++all.completions;
                                                          if (error) ++all.failures;
                                                        }))));
      };
      i % 2 == 0 ? begin() : net::dispatch(home.strand, begin);
    }
    // Those that failed once wait an hour, or until they are stopped.
    for (auto const& home : homes) {
      net::post(home->strand, [&home = *home] {
        home.is_stopped = true;
        home.signal.emit(net::cancellation_type::terminal);
      });
    }
    pool.join();
    for (auto const& home : homes) EXPECT_EQ(home->completions, 1U);
  }
  EXPECT_EQ(all.completions, calls);
  EXPECT_EQ(all.attempts_after_a_stop, 0U);
  EXPECT_GT(all.failures, calls * 2 / 10);
  EXPECT_LT(all.failures, calls * 4 / 10);
  EXPECT_TRUE(memory.is_balanced());
  EXPECT_EQ(strategy.quota().calls(), 0U);
}

/// A callback API with threads of its own: the copies of a callback are called side by side, or all of them are forgotten.
TEST(ThreadPool, CopiesOfACallbackRaceWithEachOtherAndWithTheirEnd) {
  anew::with<plain, anew::attempt_timeout<1h>> const strategy{};
  std::atomic<std::uint64_t> completions{0};
  std::atomic<std::int64_t> handlers{0};
  std::atomic<std::uint64_t> forgotten{0};
  struct counted {
    std::atomic<std::int64_t>* in;
    explicit counted(std::atomic<std::int64_t>& of) : in{&of} { ++*in; }
    counted(counted&& from) noexcept : in{from.in} { ++*in; }
    counted& operator=(counted&&) = delete;
    ~counted() { --*in; }
  };
  {
    net::thread_pool pool{2};
    net::thread_pool theirs{threads};
    for (std::size_t i = 0; i < calls; ++i) {
      auto const strand = net::make_strand(pool);
      auto const legacy = [&, i](anew::attempt& self, auto handler) {
        std::function<void(error_code)> const given{handler};
        bool const forgets = support::numbers{i * 100 + self.number()}.percent(10);
        if (forgets) ++forgotten;
        auto const error = self.number() == 1 ? error_code{net::error::connection_refused} : error_code{};
        for (int copy = 0; copy < 3; ++copy) {
          net::post(theirs, [given, forgets, error] {
            if (!forgets) given(error);
          });
        }
      };
      net::dispatch(strand, [&, strand, legacy] {
        anew::async_retry(strand, strategy, anew::initiates<void(error_code)>(legacy),
                          [&, kept = counted{handlers}](error_code error) {
                            EXPECT_FALSE(error);
                            ++completions;
                          });
      });
    }
    pool.join();  // a callback that may still come is work
    theirs.join();
  }
  EXPECT_EQ(completions + forgotten, calls);
  EXPECT_GT(forgotten, calls * 10 / 100);
  EXPECT_EQ(handlers, 0);
  EXPECT_EQ(strategy.quota().calls(), 0U);
  EXPECT_EQ(strategy.quota().retries(), 0U);
}

}  // namespace
