// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / A const or reference type
// `decltype` of a constant is a const type, and that of a parameter may be a reference. A strategy of it would be
// another type than the strategy of the plain policy, and could not be moved.
// expect-error: anew::strategy<Policies...> requires plain types
#include <chrono>
#include <type_traits>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

constexpr anew::exponential_backoff<100ms, 20s> slowly{};

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<decltype(slowly)>;
#else  // right
using polite = anew::strategy<std::remove_cv_t<decltype(slowly)>>;
#endif
// [/fix]

int main() {
  anew::retry(polite{}, [] {});
}
