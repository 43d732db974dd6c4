// SPDX-License-Identifier: BSL-1.0
// A retry on a processor without an operating system. Its code is measured; -DWITH_BUCKET adds a quota.
// -DWITHOUT_CLOCK, -DWITHOUT_SOURCE and -DWITHOUT_SLEEPER must not compile. Only a policy that needs the time needs a
// clock, so -DWITHOUT_CLOCK has a deadline.
#include <cstdint>
#include <optional>

#include <anew/anew.hpp>

// [board]
// What the board's own code offers.
extern "C" std::uint64_t board_ticks();
extern "C" std::uint64_t board_random();
extern "C" void board_wait(std::int64_t nanoseconds);
extern "C" bool board_read(int* value);

namespace {

struct board_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  static anew::time_point now() noexcept {
    return anew::time_point{anew::duration{static_cast<std::int64_t>(board_ticks())}};
  }
};
struct board_source {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const noexcept { return board_random(); }
};
struct board_sleeper {
  void operator()(anew::duration delay) const noexcept { board_wait(delay.count()); }
};
// [/board]

using namespace std::chrono_literals;
using sensor_strategy = anew::strategy<anew::exponential_backoff<10ms, 1s>, anew::full_jitter, anew::max_attempts<4>,
#ifdef WITH_BUCKET
                                       anew::token_bucket<100>,
#else
                                       anew::unlimited_quota,
#endif
#ifdef WITHOUT_CLOCK
                                       anew::deadline<10s>,
#else
                                       board_clock,
#endif
#ifndef WITHOUT_SOURCE
                                       board_source,
#endif
                                       anew::retry_all>;
constinit sensor_strategy strategy{};

}  // namespace

std::optional<int> read_sensor() {
  auto const read = []() -> std::optional<int> {
    int value = 0;
    if (!board_read(&value)) return std::nullopt;
    return value;
  };
#ifdef WITHOUT_SLEEPER
  return anew::retry(strategy, read);
#else
  return anew::retry(strategy, read, board_sleeper{});
#endif
}
