// SPDX-License-Identifier: BSL-1.0
// section: Numbers / A permit that cannot be lent
// A nested call of another type stores the permit in 8 bytes. Make the permit a number, or use
// `when_nested::collapse`.
// expect-error: anew::nesting_guard<when_nested::share_quota> requires a quota whose 'permit_type' is trivially
#include <cstdint>
#include <optional>

#include "anew/anew.hpp"
#include "anew/nesting/nesting_guard.hpp"

// [fix]
struct numbered_quota {
  using role = anew::roles::quota;
#ifdef ANEW_REJECT  // wrong
  struct permit_type {
    std::uint64_t number = 0;
    std::uint64_t weight = 0;
    friend bool operator==(permit_type const&, permit_type const&) = default;
  };
#else  // right
  using permit_type = std::uint64_t;
#endif
  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const&) const { return permit_type{}; }
  void on_success(permit_type const&) const {}
  void release(permit_type const&) const {}
};
// [/fix]

int main() {
  anew::strategy<numbered_quota, anew::nesting_guard<anew::when_nested::share_quota>> const strategy{};
  anew::retry(strategy, [] {});
}
