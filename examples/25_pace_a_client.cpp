// SPDX-License-Identifier: BSL-1.0
// A bulk job against a service that answers 20 requests a second and throttles the others: the pacer finds that out. The
// clock is the example's own: nothing here waits.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "anew/anew.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"

#include "support/expected.hpp"

using namespace std::chrono_literals;

anew::time_point virtual_time{};

struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};
void virtual_sleep(anew::duration delay) { virtual_time += delay; }

// [result]
enum class problem { too_many_requests, not_sent };
using reply = expected<int, problem>;

template <>
struct anew::retry_traits<problem> {
  static anew::retry_safety is_retry_safe(problem) { return anew::retry_safety::yes; }
  static bool is_throttle(problem p) { return p == problem::too_many_requests; }  // what the pacer goes by
};
// [/result]

// [refused]
template <>
struct anew::refused_result<reply> {
  static reply make(anew::stop_reason) { return problem::not_sent; }
};
// [/refused]

int accepted = 0;
int throttled = 0;
reply put_item() {
  static double tokens = 20;
  static anew::time_point last{};
  virtual_time += 5ms;
  tokens = std::min(20.0, tokens + 20 * std::chrono::duration<double>(virtual_time - last).count());
  last = virtual_time;
  if (tokens < 1) {
    ++throttled;
    return problem::too_many_requests;
  }
  tokens -= 1;
  ++accepted;
  return 200;
}

int main() {
  // [pacer]
  using bulk = anew::strategy<anew::client_rate_limiter<>, anew::exponential_backoff<50ms, 20s>, anew::no_jitter,
                              anew::max_attempts<3>, virtual_clock>;
  bulk const strategy{};  // one object for one service, used by every call and every thread
  for (int second = 1; second <= 6; ++second) {
    accepted = throttled = 0;
    while (virtual_time < anew::time_point{second * 5s}) (void)anew::retry(strategy, put_item, virtual_sleep);
    auto const& pacer = strategy.pacer();
    std::printf("until %2ds: %3d accepted, %2d throttled, limited to %4.1f/s\n", second * 5, accepted, throttled,
                pacer.is_enabled() ? pacer.fill_rate() : 0);
  }
  // [/pacer]

  // [fail_fast]
  using impatient = anew::with<bulk, anew::client_rate_limiter<anew::when_limited::fail_fast>>;
  impatient const fails_fast{};
  while (!fails_fast.pacer().is_enabled()) (void)anew::retry(fails_fast, put_item, virtual_sleep);
  auto reason = anew::stop_reason::succeeded;
  while (reason == anew::stop_reason::succeeded) {
    reason = anew::retry_outcome(fails_fast, put_item, virtual_sleep).reason();
  }
  std::printf("%s\n", to_string(reason));  // at once, and nothing was sent
  // [/fail_fast]

  // [numbers]
  using careful = anew::client_rate_limiter<anew::when_limited::wait,
                                            anew::rate_limiter_constants{.beta = 0.5, .min_fill_rate = 0.1}>;
  auto const adjusted = anew::compose(careful{}, anew::max_attempts<5>{});
  auto const at_run_time = anew::compose(anew::client_rate_limiter{anew::rate_limiter_constants{.min_fill_rate = 2}});
  // [/numbers]
  std::printf("%s\n%s\n", adjusted.pacer().describe().c_str(), at_run_time.pacer().describe().c_str());
}
