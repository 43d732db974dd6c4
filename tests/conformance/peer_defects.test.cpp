// SPDX-License-Identifier: BSL-1.0
// Defects of other retry libraries in C++, found by running them, that no other test looks for here.
#include <chrono>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "length.hpp"
#include "names.hpp"

namespace {

// pulsar: two backoffs made in one second were alike, and the first delay was always the same.
TEST(PeerDefects, StrategiesMadeInOneMomentDiffer) {
  using full = anew::strategy<anew::exponential_backoff<1h, 24h>, anew::retry_all>;
  std::vector<duration> first;
  for (int i = 0; i < 100; ++i) {
    full const s;
    first.push_back(s.refresh_retry_token(s.acquire_initial_token(), failure{})->delay());
  }
  std::size_t alike = 0;
  for (std::size_t i = 1; i < first.size(); ++i) alike += first[i] == first[i - 1] ? 1U : 0U;
  EXPECT_EQ(alike, 0U);
}

// stdexec's example, folly: each retry that completes at once took more stack, until there was none left.
TEST(PeerDefects, AMillionRetriesTakeNoStack) {
  using endless = anew::strategy<anew::no_backoff, anew::retry_all, anew::unbounded>;
  int const many = support::length_of(1'000'000);
  int calls = 0;
  char const* lowest = nullptr;
  char const* highest = nullptr;
  EXPECT_TRUE(anew::retry(
      endless{},
      [&] {
        auto const* const at = static_cast<char const*>(__builtin_frame_address(0));
        if (lowest == nullptr || at < lowest) lowest = at;
        if (at > highest) highest = at;
        return ++calls == many;
      },
      no_sleep));
  EXPECT_EQ(calls, many);
  EXPECT_LT(highest - lowest, 16 * 1024);
}

}  // namespace
