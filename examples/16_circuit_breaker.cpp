// SPDX-License-Identifier: BSL-1.0
// Two gates that protect a destination which is down: a breaker, by which calls fail at once, and a cool-down, by which
// they wait. The clock is the example's own: nothing here waits.
#include <chrono>
#include <cstdio>
#include <string>

#include "anew/anew.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/cool_down.hpp"

#include "support/expected.hpp"

using namespace std::chrono_literals;

anew::time_point virtual_time{};

struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};
struct longest_pauses {  // a random source that makes the output the same each time
  using role = anew::roles::random_source;
  std::uint64_t operator()() const { return 0; }
};
void virtual_sleep(anew::duration delay) { virtual_time += delay; }

// [result]
enum class problem { unavailable, not_tried };
using page = expected<std::string, problem>;

// The result of a call that the gate refuses before its first attempt. Without it the call throws anew::call_refused.
template <>
struct anew::refused_result<page> {
  static page make(anew::stop_reason) { return problem::not_tried; }
};
// [/result]

bool is_up = false;
int requests = 0;
page get() {
  ++requests;
  virtual_time += 100ms;
  if (is_up) return std::string{"hello"};
  return problem::unavailable;
}

template <class Call>
void show(char const* what, Call const& call) {
  requests = 0;
  auto const began = virtual_time;
  auto const outcome = call();
  std::printf("%-26s %d requests, %5lld ms, %s\n", what, requests, static_cast<long long>((virtual_time - began) / 1ms),
              to_string(outcome.reason()));
}

int main() {
  // [breaker]
  using client = anew::strategy<anew::circuit_breaker<5, 30s>, anew::retry_all, anew::constant_backoff<1s>,
                                anew::no_jitter, anew::max_attempts<3>, virtual_clock>;
  client const strategy{};  // one object for one destination, used by every call and every thread
  auto const call = [&] { return anew::retry_outcome(strategy, get, virtual_sleep); };
  // [/breaker]

  std::puts("a circuit breaker");
  show("the service goes down", call);
  show("the fifth failure opens it", call);
  show("it is open", call);
  virtual_time += 30s;
  show("one probe fails", call);
  show("it is open again", call);
  virtual_time += 30s;
  is_up = true;
  show("one probe succeeds", call);
  std::printf("the breaker is %s\n", to_string(strategy.gate().state()));

  // [by_hand]
  strategy.announce(strategy.gate().isolate());  // a maintenance of the destination begins
  show("it is isolated", call);
  virtual_time += 24h;
  show("a day later too", call);
  strategy.announce(strategy.gate().close());  // it is over
  show("it is closed by hand", call);
  // [/by_hand]

  // [cool_down]
  using patient = anew::with<client, anew::cool_down<anew::exponential_backoff<2s, 60s>>, longest_pauses>;
  patient const waits{};
  auto const patient_call = [&] { return anew::retry_outcome(waits, get, virtual_sleep); };
  // [/cool_down]

  std::puts("a cool-down");
  is_up = false;
  show("the service goes down", patient_call);
  show("the next call waits too", patient_call);
  is_up = true;
  show("and this too, then is well", patient_call);
  show("it is over", patient_call);
}
