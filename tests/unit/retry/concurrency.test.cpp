// SPDX-License-Identifier: BSL-1.0
// One strategy, many threads, and everything that can go wrong with a call: the books balance at the end.
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <system_error>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "driver_support.hpp"
#include "together.hpp"

namespace retry_concurrency_test {
namespace {

using support::audited_quota, support::flag_stop;

constexpr unsigned threads = 4;
constexpr unsigned calls_per_thread = 2'000;

struct fatal {};

/// One call that ends in one of the ways in which calls end, chosen by `how`.
void make_call(auto const& strategy, unsigned how) {
  unsigned calls = 0;
  flag_stop::state state;
  auto const sleep = [&](anew::duration /*d*/) {
    if (how % 8 == 5 && calls == 2) throw fatal{};           // the sleeper fails
    if (how % 8 == 6 && calls == 2) state.requested = true;  // a stop in the sleep
  };
  auto const operation = [&]() -> bool {
    ++calls;
    switch (how % 8) {
      case 0: return true;
      case 1: return calls == 2;
      case 2: return calls == 3;
      case 3: return false;
      case 4:
        if (calls == 2) throw fatal{};  // final
        throw std::runtime_error{"transient"};
      case 7:
        state.requested = calls == 2;  // a stop in an attempt
        return false;
      default: return false;
    }
  };
  try {
    if (how % 16 < 8) {
      (void)anew::retry(strategy, operation, sleep, flag_stop{state});
    } else {
      static_cast<void>(anew::retry_outcome(strategy, operation, sleep, flag_stop{state}));
    }
  } catch (fatal const&) {
  }
}

struct classifier {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<fatal>;
  static anew::directive classify(fatal const& /*e*/) { return anew::directive::fail(); }
  static anew::directive classify(auto const& /*e*/) { return anew::directive::retry(anew::error_kind::transient); }
};

TEST(RetryConcurrency, EveryPermitComesBackOnce) {
  audited_quota::books books;
  auto const strategy = anew::compose(classifier{}, audited_quota{books}, anew::no_backoff{}, anew::max_attempts<4>{});
  support::together(threads, [&](unsigned t) {
    for (unsigned i = 0; i != calls_per_thread; ++i) make_call(strategy, i + t);
  });
  // Of 8 calls, by how they end: permits acquired 0+1+2+3+1+2+2+1, retries that succeeded 2, that failed
  // 1+3+1+1+1 (the stop in an attempt gives back), that were never made 1+1.
  std::uint64_t const rounds = threads * calls_per_thread / 8;
  EXPECT_EQ(books.outstanding(), 0U);
  EXPECT_EQ(books.acquired.load(), 12 * rounds);
  EXPECT_EQ(books.succeeded.load(), 2 * rounds);
  EXPECT_EQ(books.succeeded_at_once.load(), rounds);
  EXPECT_EQ(books.failed.load(), 7 * rounds);
  EXPECT_EQ(books.released.load(), 3 * rounds);
}

}  // namespace
}  // namespace retry_concurrency_test
