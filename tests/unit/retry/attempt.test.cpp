// SPDX-License-Identifier: BSL-1.0
// What an operation may ask about the attempt that it is making. Stop requests: stop.test.cpp.
#include <chrono>
#include <optional>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/base/attempt.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"

namespace retry_attempt_test {
namespace {

using anew::connection_hint;

TEST(Attempt, FirstOneByItself) {
  anew::attempt::parts parts;
  anew::attempt const first{parts};
  EXPECT_EQ(first.number(), 1U);
  EXPECT_FALSE(first.is_retry());
  EXPECT_EQ(first.deadline(), std::nullopt);
  EXPECT_EQ(first.remaining(), anew::duration::max());
  EXPECT_EQ(first.limit(3s), anew::duration{3s});
  EXPECT_EQ(first.limit(anew::duration::max()), anew::duration::max());
  EXPECT_EQ(first.previous_error(), std::nullopt);
  EXPECT_EQ(first.connection(), connection_hint::reuse);
  EXPECT_FALSE(first.stop_requested());
  static_assert(!std::is_copy_constructible_v<anew::attempt> && !std::is_move_constructible_v<anew::attempt>);
}

TEST(Attempt, RemainingAndLimit) {
  anew::attempt::parts parts;
  parts.began = anew::time_point{10s};
  parts.deadline = anew::time_point{12s};
  EXPECT_EQ(anew::attempt{parts}.remaining(), anew::duration{2s});
  EXPECT_EQ(anew::attempt{parts}.limit(3s), anew::duration{2s});
  EXPECT_EQ(anew::attempt{parts}.limit(1s), anew::duration{1s});
  EXPECT_EQ(anew::attempt{parts}.deadline(), anew::time_point{12s});
  parts.began = anew::time_point{12s};
  EXPECT_EQ(anew::attempt{parts}.remaining(), anew::duration::zero());
  parts.began = anew::time_point{13s};
  EXPECT_EQ(anew::attempt{parts}.remaining(), anew::duration::zero()) << "never negative";
  EXPECT_EQ(anew::attempt{parts}.limit(1s), 1s) << "nothing remains to limit a last try";
  parts.began = anew::time_point::min();
  EXPECT_EQ(anew::attempt{parts}.remaining(), anew::duration::max()) << "saturates";
  parts.limit = 500ms;
  EXPECT_EQ(anew::attempt{parts}.limit(), 500ms);
  EXPECT_EQ(anew::attempt{parts}.limit(1s), 500ms) << "the composed limit counts too";
  EXPECT_EQ(anew::attempt{parts}.limit(100ms), 100ms);
}

TEST(Attempt, ConnectionIsFreshWhereTheOldOneMayBeBroken) {
  auto const after = [](std::optional<error_kind> kind) {
    anew::attempt::parts parts;
    parts.previous = kind;
    return anew::attempt{parts}.connection();
  };
  EXPECT_EQ(after(std::nullopt), connection_hint::reuse);
  EXPECT_EQ(after(error_kind::transient), connection_hint::fresh);
  EXPECT_EQ(after(error_kind::timeout), connection_hint::fresh);
  EXPECT_EQ(after(error_kind::throttling), connection_hint::reuse);
  EXPECT_EQ(after(error_kind::server), connection_hint::fresh);
  EXPECT_EQ(after(error_kind::client), connection_hint::reuse);
}

}  // namespace
}  // namespace retry_attempt_test
