// SPDX-License-Identifier: BSL-1.0
// How code that retries is tested: its strategy and its sleeper are parameters, and the test's strategy has a clock and a
// random source of the test's. Ten virtual seconds pass here in no time.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "anew/anew.hpp"

#include "support/expected.hpp"

using namespace std::chrono_literals;

enum class cause { busy };
template <>
struct anew::retry_traits<cause> {
  static anew::retry_safety is_retry_safe(cause) { return anew::retry_safety::yes; }
};

// [code_under_test]
using production =
    anew::strategy<anew::exponential_backoff<1s, 4s>, anew::full_jitter, anew::deadline<10s>, anew::max_attempts<20>>;

template <class Strategy, class Service, class Sleeper = anew::blocking_sleeper>
auto read_temperature(Strategy const& strategy, Service& service, Sleeper sleep = {}) {
  return anew::retry_outcome(strategy, [&] { return service.read(); }, sleep);
}
// [/code_under_test]

// [doubles]
// Policies of a test point to what the test owns.
struct manual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  anew::time_point const* time;
  [[nodiscard]] anew::time_point now() const { return *time; }
};

struct always_half {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const { return std::uint64_t{1} << 63U; }  // jitter draws the middle
};

// The strategy of production, with two policies in the place of its own.
using tested = anew::with<production, manual_clock, always_half>;
// [/doubles]

struct service_that_recovers {
  int failures;
  expected<int, cause> read() {
    if (failures-- > 0) return cause::busy;
    return 21;
  }
};

bool all_good = true;
void expect(bool condition, char const* what) {
  std::printf("%s: %s\n", condition ? "ok" : "NOT OK", what);
  all_good = all_good && condition;
}

// [test]
void recovers_within_the_deadline() {
  anew::time_point time{};
  std::vector<anew::duration> slept;
  auto const sleep = [&](anew::duration delay) {
    slept.push_back(delay);
    time += delay;
  };
  service_that_recovers service{.failures = 3};

  auto const outcome = read_temperature(tested{manual_clock{&time}, always_half{}}, service, sleep);

  expect(outcome.succeeded() && outcome.attempts() == 4, "succeeds at the fourth attempt");
  expect(slept == std::vector<anew::duration>{500ms, 1s, 2s}, "waits half of 1, 2 and 4 seconds");
  expect(outcome.elapsed() == 3500ms, "takes 3.5 seconds, as the clock says");
}
// [/test]

void gives_up_at_the_deadline() {
  anew::time_point time{};
  auto const sleep = [&](anew::duration delay) { time += delay; };
  service_that_recovers service{.failures = 1'000};

  auto const outcome = read_temperature(tested{manual_clock{&time}, always_half{}}, service, sleep);

  expect(outcome.reason() == anew::stop_reason::deadline, "gives up because of the deadline");
  expect(outcome.elapsed() == 9500ms, "and before it: another 2 seconds would not have fitted");
}

int main() {
  recovers_within_the_deadline();
  gives_up_at_the_deadline();
  return all_good ? 0 : 1;
}
