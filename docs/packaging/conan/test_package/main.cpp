// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdio>

#include "anew/anew.hpp"

int main() {
  using namespace std::chrono_literals;
  anew::strategy<anew::constant_backoff<1ms>, anew::no_jitter, anew::retry_all, anew::max_attempts<3>> const strategy;
  int calls = 0;
  bool const done = anew::retry(strategy, [&] { return ++calls == 2; });
  std::printf("anew %s: %d calls\n", ANEW_VERSION_STRING, calls);
  return done && calls == 2 ? 0 : 1;
}
