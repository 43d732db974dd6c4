// SPDX-License-Identifier: BSL-1.0
// Law 6: what a token holds is given back exactly once, or spent; never twice, never above the capacity: any mix of calls,
// beside a model. Each way out by itself is in tests/unit/compose.test.cpp (Token).
#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "names.hpp"

namespace {

using strategy = anew::strategy<anew::token_bucket<100>, anew::no_backoff, anew::max_attempts<4>>;
using token = strategy::token_type;

constexpr failure broken{};
constexpr failure throttled{.kind = error_kind::throttling};

/// The bucket's rules once more, in the plainest way.
struct model {
  std::uint32_t balance = 100;
  void add(std::uint32_t amount) { balance = std::min(100U, balance + amount); }
};

struct live {
  token handle;
  std::uint32_t held;
};

// Many calls at once in every order, step by step against the model.
TEST(Law6, AnyMixOfCallsAgreesWithTheModel) {
  strategy const s;
  model expected;
  std::vector<live> calls;
  std::mt19937 dice{2026};
  int refused_by_quota = 0;
  int full = 0;
  for (int step = 0; step < 50'000; ++step) {
    bool const outage = step / 1000 % 2 == 0;
    auto const roll = dice() % (outage ? 100 : 60);  // without an outage nobody fails
    if (calls.empty() || (roll < 25 && calls.size() < 12)) {
      calls.push_back({s.acquire_initial_token(), 0});
    } else {
      auto const index = static_cast<std::ptrdiff_t>(dice() % calls.size());
      live call = std::move(calls[static_cast<std::size_t>(index)]);
      calls.erase(calls.begin() + index);
      if (roll < 50) {
        expected.add(std::max(call.held, 1U));
        s.record_success(std::move(call.handle));
      } else if (roll < 60) {
        expected.add(call.held);  // destroyed at the end of this step
      } else {
        bool const cheap = dice() % 2 == 0;
        std::uint32_t const cost = cheap ? 5 : 14;
        bool const last = call.handle.attempt() == 4;
        auto next = s.refresh_retry_token(std::move(call.handle), cheap ? throttled : broken);
        bool const granted = !last && expected.balance >= cost;
        ASSERT_EQ(next.has_value(), granted);
        if (granted) {
          expected.balance -= cost;
          calls.push_back({*std::move(next), cost});
        } else {
          ASSERT_EQ(next.reason(), last ? anew::stop_reason::attempts : anew::stop_reason::quota);
          refused_by_quota += last ? 0 : 1;
        }
      }
    }
    ASSERT_EQ(s.quota().balance(), expected.balance) << "after step " << step;
    full += expected.balance == 100 ? 1 : 0;
  }
  EXPECT_GT(refused_by_quota, 100);
  EXPECT_GT(full, 100);
}

}  // namespace
