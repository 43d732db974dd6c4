// SPDX-License-Identifier: BSL-1.0
// A cap that cannot be asked for limits neither what a jitter adds nor what a server asks for.
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
