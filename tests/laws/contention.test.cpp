// SPDX-License-Identifier: BSL-1.0
// Law 11: a strategy is safe to use from many threads at once, and its quota is exact whatever the interleaving. Quotas
// at their end: quotas.test.cpp (EveryQuotaAtItsEnd).
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "length.hpp"
#include "together.hpp"

namespace {

using anew::error_kind;
using anew::failure;

constexpr unsigned thread_count = 4;
int const calls_per_thread = support::length_of(150'000);  // a call is two operations or so: at full length above 10^6

/// Runs `work(index)` in several threads that begin together.
template <class Work>
void together(Work const& work) {
  support::together(thread_count, work);
}

constexpr anew::retry_costs costs{.transient = 14, .throttling = 5, .client = 2'000'000'000};
constexpr failure failures[] = {{.kind = error_kind::transient}, {.kind = error_kind::throttling}};

/// What one thread did to the bucket.
struct account {
  std::uint64_t spent = 0;
  std::uint64_t earned = 0;
  std::uint64_t operations = 0;
};

/// One call with random outcomes, destroyed tokens among them.
template <class Strategy>
void make_call(Strategy const& s, anew::generator& dice, account& mine) {
  auto token = s.acquire_initial_token();
  std::uint32_t held = 0;
  for (;;) {
    ++mine.operations;
    auto const roll = dice();
    switch (roll % 8) {
      case 0:
      case 1:
      case 2:
        s.record_success(std::move(token));
        mine.earned += held == 0 ? 1 : 0;
        return;
      case 3: return;  // destroyed: gives back what it holds
      case 4: {
        auto moved = std::move(token);
        token = std::move(moved);
        continue;
      }
      default: break;
    }
    failure const& what = failures[(roll >> 8U) % 2];
    auto next = s.refresh_retry_token(std::move(token), what);
    mine.spent += held;
    if (!next) {
      EXPECT_EQ(next.reason(), anew::stop_reason::attempts);
      return;
    }
    held = costs.of(what.kind);
    token = *std::move(next);
  }
}

// Far from both ends, so that nothing is lost at the capacity and nothing refused: every token is accounted for.
TEST(Law11, TheBalanceIsAccountedForToTheLastToken) {
  anew::strategy<anew::token_bucket<4'000'000'000, costs>, anew::max_attempts<4>> const s;
  ASSERT_TRUE(s.quota().try_acquire(failure{.kind = error_kind::client}).has_value());
  auto const before = s.quota().balance();
  std::vector<account> accounts(thread_count);
  together([&s, &accounts](unsigned index) {
    anew::generator dice{index, 11};
    account mine;
    for (int call = 0; call < calls_per_thread; ++call) make_call(s, dice, mine);
    accounts[index] = mine;
  });
  std::uint64_t expected = before;
  std::uint64_t operations = 0;
  for (auto const& mine : accounts) {
    expected += mine.earned;
    expected -= mine.spent;
    operations += mine.operations;
  }
  EXPECT_EQ(s.quota().balance(), expected);
  EXPECT_GT(operations, 6U * static_cast<unsigned>(calls_per_thread));
}

}  // namespace
