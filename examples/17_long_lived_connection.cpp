// SPDX-License-Identifier: BSL-1.0 A subscription that is held for hours, breaks, and is made again. One that lasted
// starts over; one that flaps gives up. The clock is the example's own: nothing here waits.
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

#include "anew/anew.hpp"
#include "anew/policies/limits/reset_after.hpp"

using namespace std::chrono_literals;

anew::time_point virtual_time{};

struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};
void virtual_sleep(anew::duration delay) {
  std::printf("  waits %lld s\n", static_cast<long long>(delay / 1s));
  virtual_time += delay;
}

// [strategy]
using subscription =
    anew::strategy<anew::exponential_backoff<1s, 60s>, anew::no_jitter, anew::retry_all, anew::max_attempts<4>,
                   anew::reset_after<30s>,  // a connection that held for half a minute was a good one
                   virtual_clock>;
// [/strategy]

/// Holds as long as the script says, each time, and then breaks.
class connection {
 public:
  explicit connection(std::vector<anew::duration> script) : script_{std::move(script)} {}
  // [operation]
  bool operator()(anew::attempt& attempt) {
    auto const held = script_.at(made_++);
    virtual_time += held;  // reads messages until it breaks
    std::printf("  connection %u held %lld s\n", attempt.number(), static_cast<long long>(held / 1s));
    return false;
  }
  // [/operation]

 private:
  std::vector<anew::duration> script_;
  std::size_t made_ = 0;
};

int main() {
  std::puts("two outages with hours between them:");
  // [run]
  subscription const strategy{};
  connection lasting{{0s, 0s, 2h, 0s, 3h, 0s, 0s, 0s}};
  auto const outcome = anew::retry_outcome(strategy, lasting, virtual_sleep);
  // [/run]
  std::printf("  %s after %u connections\n", to_string(outcome.reason()), outcome.attempts());

  std::puts("a connection that comes about and breaks at once:");
  connection flapping{{1s, 1s, 1s, 1s}};
  auto const flapped = anew::retry_outcome(strategy, flapping, virtual_sleep);
  std::printf("  %s after %u connections\n", to_string(flapped.reason()), flapped.attempts());
}
