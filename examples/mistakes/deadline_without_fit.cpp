// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Deadline policy
// `fit` returns the delay to wait, or nothing when the call is to end.
// expect-error: Deadline policy
// expect-error: fit(anew::duration delay, anew::duration remaining) const
#include <chrono>
#include <optional>

#include "anew/anew.hpp"

struct within_a_second {
  using role = anew::roles::deadline;
  anew::duration total() const { return std::chrono::seconds{1}; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  bool fit(anew::duration delay, anew::duration remaining) const { return delay < remaining; }
#else  // right
  std::optional<anew::duration> fit(anew::duration delay, anew::duration remaining) const {
    return delay < remaining ? std::optional{delay} : std::nullopt;
  }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<within_a_second, anew::unbounded>{}, [] {});
}
