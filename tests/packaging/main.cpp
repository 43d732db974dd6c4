// SPDX-License-Identifier: BSL-1.0
// What every consumer compiles, however it found the library.
#include <chrono>

#include "anew/anew.hpp"

static_assert(ANEW_VERSION_MAJOR == 0 && ANEW_VERSION_MINOR == 1);

int main() {
  using namespace std::chrono_literals;
  using patient = anew::strategy<anew::constant_backoff<1ns>, anew::no_jitter, anew::token_bucket<500>, anew::retry_all,
                                 anew::max_attempts<3>>;
  patient strategy;
  int calls = 0;
  const bool done = anew::retry(strategy, [&] { return ++calls == 3; }, [](anew::duration) {});
  return done && calls == 3 ? 0 : 1;
}
