// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Refill for retries that cost nothing
// Give each kind of error a cost of at least 1.
// expect-error: anew::refilling_bucket<..., Costs> requires every cost to be above zero
#include <chrono>

#include "anew/anew.hpp"
#include "anew/quota/refilling_bucket.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
constexpr anew::retry_costs costs{.throttling = 0};
using budget = anew::refilling_bucket<10, 100ms, anew::when_empty::refuse, 0s, costs>;
#else  // right
constexpr anew::retry_costs costs{.throttling = 1};
using budget = anew::refilling_bucket<10, 100ms, anew::when_empty::refuse, 0s, costs>;
#endif
// [/fix]

int main() {
  anew::strategy<budget> const strategy{};
  anew::retry(strategy, [] {});
}
