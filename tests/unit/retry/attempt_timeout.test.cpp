// SPDX-License-Identifier: BSL-1.0
// What an operation is told of how long its attempt may take: by a composed limit, by what remains, and through whom.
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/poll_deadline.hpp"
#include "anew/poll.hpp"
#include "anew/strategy/adjusted.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace retry_attempt_timeout_test {
namespace {

using namespace anew;

/// Takes a while for each attempt, and notes what it was told.
struct slow_operation {
  manual_clock clock;
  duration takes{};
  std::uint32_t successful = 9;
  durations limits{};
  durations remaining{};

  bool operator()(attempt& self) {
    limits.push_back(self.limit());
    remaining.push_back(self.remaining());
    clock.advance(takes);
    return self.number() == successful;
  }
};

auto once_a_second(manual_clock const& clock, auto... more) {
  return compose(manual_clock{clock}, retry_all{}, no_jitter{}, constant_backoff<1s>{}, std::move(more)...);
}

/// Answers with twice what it was asked, and notes it.
struct asked_limit {
  using role = roles::attempt_timeout;
  durations* asked;
  [[nodiscard]] duration of(duration remaining) const {
    asked->push_back(remaining);
    return remaining < duration::max() ? 2 * remaining : 1min;
  }
};

TEST(AttemptTimeout, OneOfYourOwnIsAskedOncePerAttempt) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  slow_operation op{clock, 2s, 3};
  durations asked;
  EXPECT_TRUE(retry(once_a_second(clock, asked_limit{&asked}, deadline<10s>{}, unbounded{}), op, sleep));
  EXPECT_EQ(asked, (durations{10s, 7s, 4s}));
  EXPECT_EQ(op.limits, (durations{10s, 7s, 4s})) << "what remains is less";
  asked.clear();
  slow_operation again{clock, 2s, 2};
  EXPECT_TRUE(retry(once_a_second(clock, asked_limit{&asked}), again, sleep));
  EXPECT_EQ(asked, (durations{duration::max(), duration::max()}));
  EXPECT_EQ(again.limits, (durations{1min, 1min}));
}

TEST(AttemptTimeout, ReplacesAndIsReplaced) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  auto const strategy = once_a_second(clock, attempt_timeout{3s}, max_attempts<2>{});
  auto const limit_of = [&](auto const& with) {
    slow_operation op{clock, 0s, 1};
    EXPECT_TRUE(retry(with, op, sleep));
    return op.limits.at(0);
  };
  EXPECT_EQ(limit_of(adjusted(strategy, max_attempts<5>{})), 3s);
  EXPECT_EQ(limit_of(adjusted(strategy, attempt_timeout<1s>{})), 1s);
  EXPECT_EQ(limit_of(adjusted(strategy, attempt_timeout_share<rational{1, 4}>{}, deadline{2s})), 500ms);
  static_assert(std::is_same_v<anew::with<anew::strategy<attempt_timeout<1s>>, attempt_timeout<2s>>,
                               anew::strategy<attempt_timeout<2s>>>);
}

TEST(AttemptTimeout, IsDescribedAfterTheDeadline) {
  EXPECT_EQ(describe(compose(deadline{3s}, unbounded{}, attempt_timeout<1s>{})),
            "exponential(50ms,20s) full_jitter unlimited_quota retry_info unbounded server_hint(stop) deadline(3s) "
            "attempt_timeout(1s)");
}

// Through whom it is told.

TEST(AttemptTimeout, IsToldToALook) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  slow_operation op{clock, 2s, 3};
  auto const strategy = once_a_second(clock, attempt_timeout<5s>{}, poll_deadline{10s}, unbounded{});
  EXPECT_TRUE(poll(strategy, op, success_when([](bool is_up) { return is_up; }), sleep).succeeded());
  EXPECT_EQ(op.limits, (durations{5s, 5s, 4s}));
}

/// A strategy that is not composed, with a limit.
struct own_strategy : anew::strategy<max_attempts<2>, no_backoff> {
  static constexpr bool has_attempt_timeout = true;
  [[nodiscard]] static anew::attempt_timeout<7s> attempt_timeout() { return {}; }
};

TEST(AttemptTimeout, IsToldByAStrategyThatIsNotComposed) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  slow_operation op{clock, 2s};
  EXPECT_FALSE(poll(own_strategy{}, op, success_when([](bool is_up) { return is_up; }), sleep).succeeded());
  EXPECT_EQ(op.limits, (durations{7s, 7s}));
}

}  // namespace
}  // namespace retry_attempt_timeout_test
