// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Reset policy
// The time that an attempt ran is an `anew::duration`, in nanoseconds.
// expect-error: Reset policy
// expect-error: starts_over(anew::duration ran) const
#include "anew/anew.hpp"

struct after_a_minute {
  using role = anew::roles::reset;
// [fix]
#ifdef ANEW_REJECT  // wrong
  bool starts_over(int seconds) const { return seconds >= 60; }
#else  // right
  bool starts_over(anew::duration ran) const { return ran >= std::chrono::minutes{1}; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<after_a_minute>{}, [] {});
}
