// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies/gate/adaptive_concurrency.hpp"

#include "breaker_support.hpp"
#include "length.hpp"
#include "names.hpp"

namespace gate_adaptive_concurrency_test {
namespace {

using anew::adaptive_concurrency;

/// The same rule, of one thread, in fractions of 1/65536.
struct model {
  std::uint64_t most, least;
  duration slow;
  std::uint64_t limit = most * 65'536;
  std::uint64_t running = 0;
  time_point halved = time_point::min();

  bool enters() { return running < limit / 65'536 && ++running != 0; }
  void ends(time_point began, time_point now, bool failed, bool overloaded) {
    bool const is_half_full = 2 * running * 65'536 >= limit;
    if (overloaded || (!failed && now - began > slow)) {
      if (began >= halved) {
        limit = std::max(limit / 2, least * 65'536);
        halved = now;
      }
    } else if (!failed && is_half_full) {
      limit = std::min(limit + (std::uint64_t{1} << 32U) / limit, most * 65'536);
    }
    --running;
  }
};

TEST(AdaptiveConcurrency, DecidesAsAModelDoes) {
  anew::generator dice{1, 27};
  for (auto const& [most, least] : {std::pair{1U, 1U}, {4U, 2U}, {100U, 1U}, {65'535U, 100U}}) {
    adaptive_concurrency const gate{most, 1ms, least};
    model expected{most, least, 1ms};
    time_point now{-1s};
    struct attempt {
      std::uint64_t pass;
      time_point began;
    };
    std::vector<attempt> held;
    std::uint32_t lowest = most;
    for (int i = support::length_of(2'500'000); i != 0; --i) {
      now += duration{static_cast<std::int64_t>(dice() % 400'000)};
      auto const what = dice();
      if (what % 16 < 8) {
        auto const answer = gate.try_enter(now);
        ASSERT_EQ(answer.pass.has_value(), expected.enters());
        ASSERT_EQ(answer.wait, 0ns);
        if (answer.pass) held.push_back({*answer.pass, now});
      } else if (!held.empty()) {
        auto const one = std::exchange(held[(what >> 8U) % held.size()], held.back());
        held.pop_back();
        auto const kind = static_cast<error_kind>((what >> 40U) % 5);
        bool const tells = kind != error_kind::client && kind != error_kind::server;
        if (what % 16 == 8) {
          gate.release(one.pass);
          expected.ends(one.began, now, true, false);
        } else if (what % 16 == 9) {
          gate.on_failure(one.pass, failure{.kind = kind}, now);
          expected.ends(one.began, now, true, tells);
        } else {
          gate.on_success(one.pass, now);
          expected.ends(one.began, now, false, false);
        }
      }
      gate.on_failure({}, failure{}, now);  // of an attempt that never began
      gate.on_success({}, now);
      gate.release({});
      ASSERT_EQ(gate.attempts(), held.size());
      ASSERT_EQ(gate.limit(), expected.limit / 65'536);
      lowest = std::min(lowest, gate.limit());
    }
    EXPECT_TRUE(most == least || lowest <= most / 2);
  }
}

// All attempts that were under way fail together: that is one sign of overload. Half of the limit must be in use to grow.
TEST(AdaptiveConcurrency, HalvesOnceForAllThatBeganBefore) {
  adaptive_concurrency<16, 100ms, 3> const gate;
  std::vector<std::uint64_t> held;
  for (int i = 0; i != 16; ++i) held.push_back(support::enter(gate, time_point{0s}));
  EXPECT_FALSE(gate.try_enter(time_point{0s}).pass.has_value());
  for (auto const pass : held) gate.on_failure(pass, failure{.kind = error_kind::timeout}, time_point{1s});
  EXPECT_EQ(gate.limit(), 8U);
  gate.on_success(support::enter(gate, time_point{1s}), time_point{1s + 100ms});  // it is not slow, and alone
  EXPECT_EQ(gate.limit(), 8U);
  gate.on_success(support::enter(gate, time_point{1s}), time_point{1s + 101ms});
  EXPECT_EQ(gate.limit(), 4U);
  gate.on_failure(support::enter(gate, time_point{2s}), failure{.kind = error_kind::server}, time_point{9s});
  EXPECT_EQ(gate.limit(), 4U);
  gate.on_failure(support::enter(gate, time_point{9s}), failure{.kind = error_kind::throttling}, time_point{9s});
  EXPECT_EQ(gate.limit(), 3U);
  for (int flight = 0; flight != 40; ++flight) {
    held.clear();
    for (auto left = gate.limit(); left != 0; --left) held.push_back(support::enter(gate, time_point{10s}));
    for (auto const pass : held) gate.on_success(pass, time_point{10s});
  }
  EXPECT_EQ(gate.limit(), 16U);
}

}  // namespace
}  // namespace gate_adaptive_concurrency_test
