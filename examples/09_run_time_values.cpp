// SPDX-License-Identifier: BSL-1.0
// Numbers that are known at run time: compose() takes policies with values, and describe() says what came of it.
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "anew/anew.hpp"
#include "anew/strategy/adjusted.hpp"

using namespace std::chrono_literals;

// Settings from a file or a command line.
struct settings {
  std::chrono::milliseconds base;
  std::chrono::milliseconds cap;
  int attempts;
  std::chrono::milliseconds total;
};

// [compose]
auto strategy_of(settings const& s) {
  return anew::compose(anew::exponential_backoff{s.base, s.cap}, anew::token_bucket{100},
                       anew::max_attempts{s.attempts}, anew::deadline{s.total},
                       anew::server_hint{anew::long_hint::clamp}, anew::retry_all{});
}
// [/compose]

void try_settings(settings const& s) {
  // [invalid]
  try {
    auto const strategy = strategy_of(s);
    auto const outcome = anew::retry_outcome(strategy, [] { return false; }, [](anew::duration) {});
    std::printf("%s\n  made %u attempts\n", anew::describe(strategy).c_str(), outcome.attempts());
  } catch (std::invalid_argument const& error) {
    std::printf("refused: %s\n", error.what());
  }
  // [/invalid]
}

int main() {
  try_settings({.base = 10ms, .cap = 250ms, .attempts = 4, .total = 3s});
  try_settings({.base = 10ms, .cap = 250ms, .attempts = 0, .total = 3s});
  try_settings({.base = 250ms, .cap = 10ms, .attempts = 4, .total = 3s});
  try_settings({.base = 10ms, .cap = 250ms, .attempts = 4, .total = 0s});

  // Values known at compile time are part of the type, and checked by the compiler.
  // [with]
  using fast = anew::strategy<anew::exponential_backoff<5ms, 250ms>, anew::token_bucket<500>>;
  using patient = anew::with<fast, anew::max_attempts<8>>;  // the rest is fast's
  std::printf("%s\n%s\n", anew::describe<fast>().c_str(), anew::describe<patient>().c_str());
  // [/with]

  // One call that may take longer: the rest is the strategy's, its bucket too.
  // [adjusted]
  auto const strategy = strategy_of({.base = 10ms, .cap = 250ms, .attempts = 4, .total = 3s});
  auto const outcome =
      anew::retry_outcome(anew::adjusted(strategy, anew::max_attempts{6}), [] { return false; }, [](anew::duration) {});
  std::printf("%u attempts, %u tokens left of %u\n", outcome.attempts(), strategy.quota().balance(),
              strategy.quota().capacity());
  // [/adjusted]
}
