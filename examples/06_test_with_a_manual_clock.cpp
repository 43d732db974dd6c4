// SPDX-License-Identifier: BSL-1.0
// How code that retries is tested: its strategy and its sleeper are parameters, and the test's strategy has a clock and a
// random source of the kit's. Half a minute passes here in no time.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "anew/anew.hpp"
#include "anew/testing.hpp"

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
auto read_temperature(Strategy const& strategy, Service& service, Sleeper&& sleep = {}) {
  return anew::retry_outcome(strategy, [&] { return service.read(); }, sleep);
}
// [/code_under_test]

// [doubles]
namespace kit = anew::testing;

// The strategy of production, with two policies instead of its own: a clock that stands still, and random numbers
// of which jitter makes the middle.
using tested = anew::with<production, kit::manual_clock, kit::scripted_random>;

// The service plays a script: read() is called as a function would be.
struct scripted_service {
  kit::scripted_operation<expected<int, cause>> read;
};
// [/doubles]

bool all_good = true;
void expect(bool condition, char const* what) {
  std::printf("%s: %s\n", condition ? "ok" : "NOT OK", what);
  all_good = all_good && condition;
}

// [test]
void recovers_within_the_deadline() {
  tested const strategy;
  kit::advancing_sleeper sleep{strategy.clock()};
  scripted_service service;
  service.read.returns(cause::busy, 3).returns(21);

  auto const outcome = read_temperature(strategy, service, sleep);

  expect(outcome.succeeded() && outcome.attempts() == 4, "succeeds at the fourth attempt");
  expect(sleep.delays == std::vector<anew::duration>{500ms, 1s, 2s}, "waits half of 1, 2 and 4 seconds");
  expect(outcome.elapsed() == 3500ms, "takes 3.5 seconds, as the clock says");
}
// [/test]

void gives_up_at_the_deadline() {
  tested const strategy;
  kit::advancing_sleeper sleep{strategy.clock()};
  scripted_service service;
  service.read.returns(cause::busy, kit::forever);

  auto const outcome = read_temperature(strategy, service, sleep);

  expect(outcome.reason() == anew::stop_reason::deadline, "gives up because of the deadline");
  expect(outcome.elapsed() == 9500ms, "and before it: another 2 seconds would not have fitted");
}

// [slow]
void a_slow_service_leaves_no_time() {
  tested const strategy;
  kit::advancing_sleeper sleep{strategy.clock()};
  scripted_service service;
  service.read.returns(cause::busy, 2).taking(strategy.clock(), 4750ms);

  auto const outcome = read_temperature(strategy, service, sleep);

  expect(outcome.reason() == anew::stop_reason::deadline, "gives up when two slow attempts took the time");
  expect(service.read.is_finished(), "and not before");
}
// [/slow]

// [story]
void tells_what_happens() {
  kit::recorder const heard;
  anew::with<tested, kit::recorder> const strategy{heard};
  kit::recording_sleeper sleep{[&] { heard.note("sleep"); }};
  scripted_service service;
  service.read.returns(cause::busy).returns(21);

  auto const outcome = read_temperature(strategy, service, sleep);

  expect(outcome.succeeded(), "succeeds at the second attempt");
  expect(heard.story() == std::vector<std::string>{"attempt 1 may be retried", "retry 2", "sleep",
                                                   "attempt 2 succeeded", "end succeeded after 2"},
         "tells its story in this order");
}
// [/story]

// [quota]
void gives_the_quota_back() {
  kit::audited_quota const quota;
  anew::with<tested, kit::audited_quota> const strategy{quota};
  kit::recording_sleeper sleep;
  scripted_service service;
  service.read.returns(cause::busy, 2).returns(21);

  auto const outcome = read_temperature(strategy, service, sleep);

  expect(outcome.succeeded() && quota.outstanding() == 0, "gives every permit back, once");
  expect(quota.book().back() == "success 2", "the last one because of the success");
}
// [/quota]

// [chaos]
void survives_a_bad_day() {
  tested const strategy;
  kit::advancing_sleeper sleep{strategy.clock()};
  using reading = expected<int, cause>;
  auto const thermometer = [] { return reading{21}; };
  auto const read = kit::chaos{thermometer, 7}
                        .delays(0.25, strategy.clock(), 300ms)             // one call in four is slow
                        .returns(0.2, reading{cause::busy})                // one in five is refused
                        .loses(0.1, [] { return reading{cause::busy}; });  // and one in ten is made in vain

  int succeeded = 0;
  for (int i = 0; i != 1'000; ++i) succeeded += anew::retry_outcome(strategy, read, sleep).succeeded() ? 1 : 0;

  expect(succeeded == 1'000, "retries hide a failure in four");
  expect(read.faults(2) > 200 && read.faults(3) > 100, "although the chaos was there");
}
// [/chaos]

// [mode]
void the_whole_program() {
  kit::test_mode const fast{2};  // for every call of the process, while it lives
  scripted_service service;
  service.read.returns(cause::busy, kit::forever);

  auto const outcome = read_temperature(production{}, service);  // its own clock, its own sleeper

  expect(outcome.attempts() == 2, "production's own strategy makes two attempts and waits for nothing");
}
// [/mode]

int main() {
  recovers_within_the_deadline();
  gives_up_at_the_deadline();
  a_slow_service_leaves_no_time();
  tells_what_happens();
  gives_the_quota_back();
  survives_a_bad_day();
  the_whole_program();
  return all_good ? 0 : 1;
}
