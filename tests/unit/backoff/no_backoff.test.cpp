// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>

#include <gtest/gtest.h>

#include "anew/backoff/no_backoff.hpp"

namespace backoff_no_backoff_test {
namespace {

using namespace std::chrono_literals;

TEST(NoBackoff, NeverWaits) {
  anew::no_backoff const b;
  for (std::uint32_t retry : {1U, 2U, 1000U, ~0U}) EXPECT_EQ(b.delay(retry), 0ns);
  EXPECT_EQ(b.cap(), 0ns);
  EXPECT_EQ(b.describe(), "no_backoff");
}

}  // namespace
}  // namespace backoff_no_backoff_test
