// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Refill beyond 32 bits
// -1 does not mean "without limit"; that is `anew::unlimited_quota`.
// expect-error: anew::refilling_bucket<Capacity, Per> requires 0 <= Capacity <= 4294967295
#include <chrono>

#include "anew/anew.hpp"
#include "anew/quota/refilling_bucket.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using budget = anew::refilling_bucket<-1, 100ms>;
#else  // right
using budget = anew::unlimited_quota;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
