// SPDX-License-Identifier: BSL-1.0
// How a call is ended from outside, and how long it may take. The clock is the example's own: nothing here waits.
#include <chrono>
#include <cstdio>
#include <stop_token>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

anew::time_point virtual_time{};

struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};

void virtual_sleep(anew::duration delay) { virtual_time += delay; }

template <class Outcome>
void print(char const* what, Outcome const& outcome) {
  std::printf("%s: %s after %u attempts and %lld ms\n", what, to_string(outcome.reason()), outcome.attempts(),
              static_cast<long long>(outcome.elapsed() / 1ms));
}

// [steady]
using steady = anew::strategy<anew::constant_backoff<300ms>, anew::no_jitter, anew::retry_all, virtual_clock,
                              anew::deadline<1s>, anew::unbounded>;  // the deadline alone decides
// [/steady]

int main() {
  // [deadline]
  auto const slow = [](anew::attempt& attempt) {
    auto const limit = attempt.limit(200ms);  // 200 ms, or what is left of the call
    std::printf("attempt %u: %lld ms remain, may take %lld ms\n", attempt.number(),
                static_cast<long long>(attempt.remaining() / 1ms), static_cast<long long>(limit / 1ms));
    virtual_time += limit;
    return false;
  };
  print("deadline", anew::retry_outcome(steady{}, slow, virtual_sleep));
  // [/deadline]

  // [last_try]
  using to_the_end = anew::with<steady, anew::deadline<1s, anew::at_deadline::last_try>>;
  print("last_try", anew::retry_outcome(to_the_end{}, slow, virtual_sleep));
  // [/last_try]

  // [stop]
  std::stop_source stop;
  auto sleep_until_stopped = [&, naps = 0](anew::duration delay) mutable {
    virtual_sleep(delay);
    if (++naps == 3) stop.request_stop();  // elsewhere: another thread
  };
  auto const fails = [] { return false; };
  using forever =
      anew::strategy<anew::constant_backoff<300ms>, anew::no_jitter, anew::retry_all, virtual_clock, anew::unbounded>;
  print("stop", anew::retry_outcome(forever{}, fails, sleep_until_stopped, stop.get_token()));
  // [/stop]

  // [stop_requested]
  std::stop_source second;
  auto const long_work = [&](anew::attempt& attempt) {
    for (int step = 0; step != 100; ++step) {
      if (attempt.stop_requested()) return false;  // what fails after a stop is not retried
      if (step == 10) second.request_stop();
    }
    return true;
  };
  print("stop in an attempt", anew::retry_outcome(forever{}, long_work, virtual_sleep, second.get_token()));
  // [/stop_requested]
}
