// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Cap below base
// A wrong strategy is explained once, where it is composed, however often you use it.
// expect-error: anew::exponential_backoff<Base, Cap> requires Cap >= Base
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<anew::exponential_backoff<20s, 100ms>, anew::retry_all>;
#else  // right
using polite = anew::strategy<anew::exponential_backoff<100ms, 20s>, anew::retry_all>;
#endif
// [/fix]

using patient = anew::with<polite, anew::max_attempts<8>>;
static_assert(anew::RetryStrategy<polite>);

int use_of_result() {
  auto const number = anew::retry(polite{}, [] { return 41U; });
  return static_cast<int>(number) + 1;
}

bool use_of_outcome() {
  polite const strategy;
  auto ended = anew::retry_outcome(strategy, [](anew::attempt& a) { return a.number(); });
  return ended.succeeded() && ended.attempts() == 1 && ended.result() == 1;
}

bool use_of_its_classifier() {
  return anew::retry(polite{}, [] { return true; });
}

int main() {
  anew::retry(patient{}, [] {});
  return use_of_outcome() && use_of_its_classifier() ? use_of_result() : 1;
}
