// SPDX-License-Identifier: BSL-1.0
// A server asks for a delay: what a whole call makes of it.
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace retry_hints_test {
namespace {

using anew::long_hint;
using support::recorder;

struct busy {
  std::optional<anew::duration> after;
  [[nodiscard]] static anew::retry_safety is_retry_safe() noexcept { return anew::retry_safety::yes; }
  [[nodiscard]] static bool is_throttle() noexcept { return true; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const noexcept { return after; }
};
struct answer {
  std::optional<busy> failed;
  [[nodiscard]] bool has_value() const noexcept { return !failed.has_value(); }
  [[nodiscard]] busy const& error() const { return *failed; }
};

struct seen {
  stop_reason reason;
  std::optional<anew::duration> last_hint;
  durations delays;
  std::vector<delay_origin> origins;
};

/// A call whose attempts fail with these hints, and then succeeds. The backoff says 1 s, 2 s, 4 s, 5 s, 5 s, ...
template <class... Policies>
seen run(std::vector<std::optional<anew::duration>> const& hints, Policies... policies) {
  manual_clock clock;
  recorder::heard heard;
  auto const strategy = anew::compose(anew::exponential_backoff{1s, 5s}, anew::no_jitter{}, recorder{heard}, clock,
                                      std::move(policies)...);
  advancing_sleeper sleep{clock};
  std::size_t calls = 0;
  auto told = anew::retry_outcome(
      strategy, [&] { return calls < hints.size() ? answer{busy{hints[calls++]}} : answer{}; }, sleep);
  std::vector<delay_origin> origins;
  for (auto const& retry : heard.retries) origins.push_back(retry.origin);
  return {told.reason(), told.last_hint(), sleep.delays, origins};
}

using many = anew::max_attempts<10>;

TEST(RetryHints, HintAboveItsBoundMayBeClamped) {
  auto const s = run({1h, 4s, 114h}, many{}, anew::server_hint<long_hint::clamp>{});
  EXPECT_EQ(s.reason, stop_reason::succeeded);
  EXPECT_EQ(s.delays, (durations{60s, 4s, 60s}));
  EXPECT_EQ(s.origins, (std::vector{delay_origin::cap, delay_origin::hint, delay_origin::cap}));
  EXPECT_EQ(s.last_hint, anew::duration{114h});
}

TEST(RetryHints, HintAboveItsBoundMayBeIgnored) {
  auto const s = run({1h, 4s, 114h}, many{}, anew::server_hint<long_hint::ignore>{});
  EXPECT_EQ(s.reason, stop_reason::succeeded);
  EXPECT_EQ(s.delays, (durations{1s, 4s, 4s}));
  EXPECT_EQ(s.origins, (std::vector{delay_origin::backoff, delay_origin::hint, delay_origin::backoff}));
}

TEST(RetryHints, LastHintIsTheLastOneGiven) {
  auto const s = run({3s, std::nullopt, std::nullopt}, many{});
  EXPECT_EQ(s.delays, (durations{3s, 2s, 4s}));
  EXPECT_EQ(s.last_hint, anew::duration{3s});
  EXPECT_EQ(run({std::nullopt}, many{}).last_hint, std::nullopt);
}

TEST(RetryHints, HintOfAFailureThatEndsTheCallIsTold) {
  auto const told = anew::retry_outcome(anew::strategy<anew::max_attempts<1>>{}, [] { return answer{busy{7s}}; });
  EXPECT_EQ(told.reason(), stop_reason::attempts);
  EXPECT_EQ(told.last_hint(), anew::duration{7s}) << "for whoever can wait";
}

}  // namespace
}  // namespace retry_hints_test
