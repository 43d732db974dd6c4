// SPDX-License-Identifier: BSL-1.0
// Whole calls against a deadline, on a manual clock that attempts and sleeps move.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace retry_deadline_test {
namespace {

using anew::at_deadline;
using support::recorder;

/// One call whose attempts all fail, after a second each.
struct call {
  manual_clock clock{};
  anew::time_point began = clock.peek();
  recorder::heard heard{};
  durations remaining{};
  durations delays{};

  auto operator()(anew::deadline<anew::run_time, at_deadline::stop, anew::run_time> deadline, anew::duration delay,
                  anew::duration attempt = 1s, anew::duration late = 0s) {
    auto const strategy = anew::compose(anew::retry_all{}, anew::constant_backoff{delay}, anew::no_jitter{}, deadline,
                                        anew::unbounded{}, clock, recorder{heard});
    advancing_sleeper sleep{clock, late};
    auto told = anew::retry_outcome(
        strategy,
        [&](anew::attempt& a) {
          remaining.push_back(a.remaining());
          clock.advance(attempt);
          return false;
        },
        sleep);
    delays = sleep.delays;
    return std::pair{told.reason(), told.elapsed()};
  }
};

TEST(RetryDeadline, ClampsTheLastDelaySoThatTheReserveRemains) {
  call c;
  auto const [reason, elapsed] = c(anew::deadline{10s, at_deadline::clamp, 500ms}, 3s);
  EXPECT_EQ(reason, stop_reason::deadline);
  EXPECT_EQ(c.delays, (durations{3s, 3s, 500ms}));
  EXPECT_EQ(c.remaining, (durations{10s, 6s, 2s, 500ms}));
  EXPECT_EQ(elapsed, anew::duration{10s + 500ms}) << "the attempt in flight is not interrupted";
  ASSERT_EQ(c.heard.retries.size(), 3U);
  EXPECT_EQ(c.heard.retries[1].origin, anew::delay_origin::backoff);
  EXPECT_EQ(c.heard.retries[2].origin, anew::delay_origin::deadline);
  EXPECT_EQ(c.heard.retries[2].delay, anew::duration{500ms});
}

/// A deadline that a user may leave out at run time.
struct perhaps_a_deadline {
  using role = anew::roles::deadline;
  using limit = decltype(anew::deadline{anew::duration{1}});
  std::optional<limit> chosen{};
  [[nodiscard]] anew::duration total() const { return chosen ? chosen->total() : anew::duration::max(); }
  [[nodiscard]] std::optional<anew::duration> fit(anew::duration delay, anew::duration remaining) const {
    return chosen ? chosen->fit(delay, remaining) : delay;
  }
};

/// A result that is not as well copied, read by shape.
struct bulky {
  std::string words;
  [[nodiscard]] static bool has_value() noexcept { return false; }
  [[nodiscard]] static int error() noexcept { return 1; }
};

template <class S>
[[gnu::noinline]] durations remaining_of(S const& strategy) {
  durations remaining;
  auto const told = anew::retry_outcome(
      strategy,
      [&](anew::attempt& a) {
        remaining.push_back(a.remaining());
        return bulky{"a string that is too long to be kept in place"};
      },
      [](anew::duration) {});
  EXPECT_EQ(told.reason(), stop_reason::attempts);
  return remaining;
}

// On the real clock, and with the optimiser: g++ 12 once made a deadline of the start of the call out of this.
TEST(RetryDeadline, ThatIsLeftOutAtRunTimeIsNone) {
  auto const never = anew::duration::max();
  EXPECT_EQ(remaining_of(anew::compose(anew::retry_all{}, anew::constant_backoff{1ms}, perhaps_a_deadline{},
                                       anew::max_attempts{3}, anew::token_bucket{500})),
            (durations{never, never, never}));
  EXPECT_EQ(remaining_of(anew::compose(anew::retry_all{}, anew::constant_backoff{1ms}, perhaps_a_deadline{},
                                       anew::max_attempts{3}, anew::decorrelated_jitter{})),
            (durations{never, never, never}));
}

}  // namespace
}  // namespace retry_deadline_test
