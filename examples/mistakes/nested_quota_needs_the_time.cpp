// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A quota that needs the time
// A nested call has no clock for a quota that is refilled by time. `anew::token_bucket` is refilled by successes.
// expect-error: anew::nesting_guard<when_nested::share_quota> requires a quota with 'try_acquire(anew::failure
#include <optional>

#include "anew/anew.hpp"
#include "anew/nesting/nesting_guard.hpp"

// [fix]
struct hourly_quota {
  using role = anew::roles::quota;
  using permit_type = int;
#ifdef ANEW_REJECT  // wrong
  [[nodiscard]] std::optional<int> try_acquire(anew::failure const&, anew::time_point) const { return 1; }
#else  // right
  [[nodiscard]] std::optional<int> try_acquire(anew::failure const&) const { return 1; }
#endif
  void on_success(int) const {}
  void release(int) const {}
};
// [/fix]

int main() {
  anew::strategy<hourly_quota, anew::nesting_guard<anew::when_nested::share_quota>> const strategy{};
  anew::retry(strategy, [] {});
}
