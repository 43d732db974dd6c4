// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A delay by kind that is not const
// The same applies to `permits_another(anew::call_progress const&)` of a MaxAttempts.
// expect-error: requires a Backoff's 'delay' to be 'anew::duration delay(anew::call_progress const&) const'
#include <chrono>
#include <cstdint>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct by_kind {
  using role = anew::roles::backoff;
  anew::duration delay(std::uint32_t retry) const { return retry * 50ms; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::duration delay(anew::call_progress const& call) { return call.counts.of(anew::error_kind::throttling) * 1s; }
#else  // right
  anew::duration delay(anew::call_progress const& call) const {
    return call.counts.of(anew::error_kind::throttling) * 1s;
  }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<by_kind>{}, [] {});
}
