// SPDX-License-Identifier: BSL-1.0
// section: Limits of attempts / A part of no deadline
// A share is of what remains of the call's deadline. A call without one has no such part;
// `anew::attempt_timeout<Limit>` limits its attempts by a time of their own. A limit of yours says that it needs a
// deadline by `static constexpr bool needs_deadline = true;`.
//
// The same for `anew::with<>`, whose strategy may have the deadline: .
// expect-error: anew::strategy<Policies...> requires a deadline beside an attempt timeout that is a part of one
// expect-error: Did you forget anew::deadline<Total>
#include <chrono>

#include "anew/anew.hpp"
#include "anew/attempt_timeout/attempt_timeout_share.hpp"

using namespace std::chrono_literals;

// [fix]
#ifdef ANEW_REJECT  // wrong
using halves = anew::strategy<anew::attempt_timeout_share<1, 2>, anew::unbounded>;
#else  // right
using halves = anew::strategy<anew::attempt_timeout_share<1, 2>, anew::deadline<10s>, anew::unbounded>;
#endif
// [/fix]

int main() {
  anew::retry(halves{}, [](anew::attempt&) {});
}
