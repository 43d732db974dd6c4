// SPDX-License-Identifier: BSL-1.0
// A deadline that is left out at run time. Whole calls against one are stories.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

#include "names.hpp"

namespace retry_deadline_test {
namespace {

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

[[gnu::noinline]] durations remaining_of(auto const& strategy) {
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
