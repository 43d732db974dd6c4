// SPDX-License-Identifier: BSL-1.0
// The laws of attempt timeouts, and that each can be broken.
#include <chrono>

#include <gtest/gtest.h>

#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/testing/archetypes.hpp"
#include "anew/testing/laws/limits.hpp"

namespace {

using namespace std::chrono_literals;
using anew::duration;

struct chosen {
  static auto make() { return anew::attempt_timeout{20ms}; }
};
struct chosen_share {
  static auto make() { return anew::attempt_timeout_share{anew::rational{2, 7}}; }
};
using limits = testing::Types<
    anew::attempt_timeout<1s>, anew::attempt_timeout<1ns>, chosen, anew::attempt_timeout_share<anew::rational{1}>,
    anew::attempt_timeout_share<anew::rational{1, 4294967295}>, chosen_share, anew::testing::least_attempt_timeout>;

}  // namespace

namespace anew::testing {
INSTANTIATE_TYPED_TEST_SUITE_P(Shipped, AttemptTimeoutLaws, limits);
}  // namespace anew::testing

namespace {

namespace laws = anew::testing::laws;

struct endless {
  using role = anew::roles::attempt_timeout;
  [[nodiscard]] static duration of(duration /*remaining*/) { return duration::max(); }
};
struct takes_a_second_off : endless {
  [[nodiscard]] static duration of(duration remaining) { return remaining - 1s; }
};
struct whole_seconds : endless {
  [[nodiscard]] static duration of(duration remaining) {
    return std::chrono::duration_cast<std::chrono::seconds>(remaining);
  }
};
struct hurries_early : endless {
  [[nodiscard]] static duration of(duration remaining) { return remaining > 10s ? 100ms : remaining; }
};

TEST(LawsOfAttemptTimeouts, CanBeBroken) {
  EXPECT_TRUE(laws::a_limit_is_not_negative(endless{}));
  EXPECT_TRUE(laws::an_attempt_has_time(endless{}));
  EXPECT_TRUE(laws::more_time_is_no_shorter(endless{}));
  EXPECT_FALSE(laws::a_limit_is_not_negative(takes_a_second_off{}));
  EXPECT_FALSE(laws::an_attempt_has_time(whole_seconds{}));
  EXPECT_FALSE(laws::more_time_is_no_shorter(hurries_early{}));
}

}  // namespace
