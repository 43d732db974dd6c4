// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Nesting policy
// If a nested call may not retry, the guard names the reason.
// expect-error: Nesting policy
// expect-error: anew::nesting_guard
#include <optional>

#include "anew/anew.hpp"

struct always_alone {
  using role = anew::roles::nesting;
  using permit_type = anew::no_permit;
// [fix]
#ifndef ANEW_REJECT  // right; without it wrong
  static constexpr anew::stop_reason refusal = anew::stop_reason::nested;
#endif
  // [/fix]
  struct scope {};
  template <class Quota>
  scope enter(Quota const& /*outer*/) const {
    return {};
  }
  bool is_nested() const { return false; }
  std::optional<anew::no_permit> try_acquire(anew::failure const& /*what*/) const { return std::nullopt; }
  void on_success(anew::no_permit /*held*/) const {}
  void on_failure(anew::no_permit /*held*/) const {}
  void release(anew::no_permit /*held*/) const {}
};

int main() {
  anew::retry(anew::strategy<always_alone>{}, [] {});
}
