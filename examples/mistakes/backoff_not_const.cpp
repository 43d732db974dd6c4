// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Backoff policy
// Many calls and threads share a strategy, so its policies are asked through const.
// expect-error: requires a Backoff policy to have
// expect-error: anew::duration delay(std::uint32_t retry) const
#include <chrono>
#include <cstdint>

#include "anew/anew.hpp"

struct linear {
  using role = anew::roles::backoff;
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::duration delay(std::uint32_t retry) { return retry * std::chrono::milliseconds{50}; }
#else  // right
  anew::duration delay(std::uint32_t retry) const { return retry * std::chrono::milliseconds{50}; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<linear>{}, [] {});
}
