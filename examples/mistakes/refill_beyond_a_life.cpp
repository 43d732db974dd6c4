// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Refill beyond 146 years
// `Capacity * Per`, and `Longest`, are kept in 63 bits of nanoseconds, half of which hold the current time.
// expect-error: anew::refilling_bucket<Capacity, Per> requires an empty bucket to be full within 146 years
#include <chrono>

#include "anew/anew.hpp"
#include "anew/quota/refilling_bucket.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::refilling_bucket<4'000'000'000, 24h>;
#else  // right
using budget = anew::refilling_bucket<4000, 24h>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
