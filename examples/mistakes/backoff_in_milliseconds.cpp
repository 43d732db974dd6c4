// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Backoff policy
// Every delay of the library is an anew::duration, so that nothing is rounded on the way.
// expect-error: requires a Backoff policy to have
// expect-error: anew::duration delay(std::uint32_t retry) const
#include <chrono>
#include <cstdint>

#include "anew/anew.hpp"

struct linear {
  using role = anew::roles::backoff;
// [fix]
#ifdef ANEW_REJECT  // wrong
  std::chrono::milliseconds delay(std::uint32_t retry) const { return retry * std::chrono::milliseconds{50}; }
#else  // right
  anew::duration delay(std::uint32_t retry) const { return retry * std::chrono::milliseconds{50}; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<linear>{}, [] {});
}
