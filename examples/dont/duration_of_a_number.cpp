// SPDX-License-Identifier: BSL-1.0
// anew::duration counts nanoseconds.
#include <optional>

#include "given.hpp"

// [dont]
struct wrong : std::runtime_error, anew::retry_info {
  using runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const override { return anew::duration{2}; }
};
// [/dont]

// [do]
struct right : std::runtime_error, anew::retry_info {
  using runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const override { return std::chrono::seconds{2}; }
};
// [/do]

template <class E>
void send() {
  if (++requests == 1) throw E{"busy"};
}

using client = anew::strategy<anew::exponential_backoff<10ms, 20s>, anew::no_jitter, virtual_clock>;

int main() {
  auto outcome = anew::retry_outcome(client{}, send<wrong>, virtual_sleep);
  std::printf("DON'T waited %lld ms\n", static_cast<long long>(outcome.elapsed() / 1ms));
  requests = 0;
  auto const better = anew::retry_outcome(client{}, send<right>, virtual_sleep);
  std::printf("DO    waited %lld ms\n", static_cast<long long>(better.elapsed() / 1ms));
}
