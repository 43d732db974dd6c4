// SPDX-License-Identifier: BSL-1.0
// section: Numbers / Kinds of errors inside a backoff
// A backoff with `delay(anew::call_progress const&)` depends on the kind of error, which a wrapped backoff is not
// told. Swap the two: a rule of `per_kind_backoff` may be a sum, a floor or phases.
// expect-error: requires an inner Backoff that depends on the retry number alone
#include <chrono>
#include <cstdint>

#include "anew/anew.hpp"
#include "anew/backoff/sum.hpp"

using namespace std::chrono_literals;

struct by_kind {
  using role = anew::roles::backoff;
  [[nodiscard]] anew::duration delay(std::uint32_t /*retry*/) const { return 1s; }
  [[nodiscard]] anew::duration delay(anew::call_progress const& progress) const {
    return progress.kind == anew::error_kind::throttling ? 10s : 1s;
  }
};

// [fix]
#ifdef ANEW_REJECT  // wrong
using patient = anew::strategy<anew::sum_backoff<by_kind, anew::constant_backoff<1s>>>;
#else  // right
using patient = anew::strategy<by_kind>;
#endif
// [/fix]

int main() {
  anew::retry(patient{}, [] {});
}
