// SPDX-License-Identifier: BSL-1.0
// From a loop written by hand to a strategy: docs/tutorial/from_a_loop_to_a_strategy.md quotes the steps.
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "anew/anew.hpp"

#include "support/expected.hpp"

using namespace std::chrono_literals;

// [sensor]
enum class sensor_error { bus_busy, no_answer, unplugged };
using reading = expected<double, sensor_error>;

struct sensor {
  std::vector<sensor_error> troubles;  // of the next reads, the next one last
  reading read() {
    if (troubles.empty()) return 21.5;
    auto const trouble = troubles.back();
    troubles.pop_back();
    return trouble;
  }
};
// [/sensor]

// [by_hand]
reading read_by_hand(sensor& s) {
  auto delay = 1ms;
  for (int i = 0; i != 3; ++i) {
    auto const result = s.read();
    if (result.has_value()) return result;
    std::this_thread::sleep_for(delay);
    delay *= 2;
  }
  return s.read();
}
// [/by_hand]

// [retry_traits]
template <>
struct anew::retry_traits<sensor_error> {
  static anew::retry_safety is_retry_safe(sensor_error e) {
    return e == sensor_error::unplugged ? anew::retry_safety::no : anew::retry_safety::yes;
  }
  static bool is_throttle(sensor_error e) { return e == sensor_error::bus_busy; }
  static bool is_timeout(sensor_error e) { return e == sensor_error::no_answer; }
};
// [/retry_traits]

void step_1(sensor& s) {
  // [defaults]
  anew::strategy<> const defaults{};
  auto const result = anew::retry(defaults, [&] { return s.read(); });
  // [/defaults]
  std::printf("step 1: %s\n", result.has_value() ? "a value" : "an error");
}

// [waits]
using waits = anew::strategy<anew::exponential_backoff<1ms, 8ms>, anew::equal_jitter>;
// [/waits]

// [limits]
using careful = anew::with<waits, anew::max_attempts<5>, anew::token_bucket<100>, anew::deadline<5s>>;
// [/limits]

struct station {
  // [keep]
  careful strategy{};  // as long-lived as what it protects: its calls share the bucket
  sensor device{};
  reading temperature() {
    return anew::retry(strategy, [this] { return device.read(); });
  }
  // [/keep]

  void step_4() {
    // [outcome]
    auto const outcome = anew::retry_outcome(strategy, [this] { return device.read(); });
    std::printf("step 4: %s after %u attempts\n", to_string(outcome.reason()), outcome.attempts());
    // [/outcome]
  }
};

// [test]
void step_5() {
  std::vector<anew::duration> delays;
  auto const record = [&](anew::duration delay) { delays.push_back(delay); };
  sensor busy_twice{.troubles = {sensor_error::bus_busy, sensor_error::no_answer}};

  anew::with<careful, anew::no_jitter> const steady{};
  auto const result = anew::retry(steady, [&] { return busy_twice.read(); }, record);

  bool const good = result.has_value() && delays == std::vector<anew::duration>{1ms, 2ms};
  std::printf("step 5: %s\n", good ? "waited 1 ms and 2 ms" : "not what was expected");
}
// [/test]

int main() {
  sensor by_hand{.troubles = {sensor_error::bus_busy, sensor_error::bus_busy}};
  std::printf("by hand: %s\n", read_by_hand(by_hand).has_value() ? "a value" : "an error");
  sensor unplugged{.troubles = {sensor_error::unplugged}};
  step_1(unplugged);

  station attic{};
  attic.device.troubles = {sensor_error::no_answer};
  std::printf("step 3: %.1f degrees, balance %u\n", attic.temperature().value(), attic.strategy.quota().balance());
  attic.device.troubles = {sensor_error::unplugged, sensor_error::bus_busy};
  attic.step_4();
  step_5();
  std::printf("%s\n", anew::describe<careful>().c_str());
}
