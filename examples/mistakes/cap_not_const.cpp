// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A cap that is not const
// Without a cap, a jitter may draw beyond the number that you meant. A data member named `cap` is refused too: call
// it `cap_`, and add the function.
// expect-error: requires a Backoff's 'cap' to be 'anew::duration cap() const'
#include <chrono>
#include <cstdint>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct steps {
  using role = anew::roles::backoff;
  anew::duration delay(std::uint32_t retry) const { return retry * 50ms; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::duration cap() { return 1s; }
#else  // right
  anew::duration cap() const { return 1s; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<steps>{}, [] {});
}
