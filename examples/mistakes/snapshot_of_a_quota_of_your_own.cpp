// SPDX-License-Identifier: BSL-1.0
// section: Saved states / A snapshot of a quota of your own
// Nothing tells anew what your quota has counted. Declare that it keeps nothing, and save its state yourself; or pass the
// other policies one by one.
// expect-error: require policies whose state they know
#include <cstdint>
#include <optional>

#include "anew/anew.hpp"
#include "anew/compose/snapshot.hpp"
#include "anew/gate/circuit_breaker.hpp"

struct daily_quota {
  using role = anew::roles::quota;
  using permit_type = std::uint32_t;
// [fix]
#ifdef ANEW_REJECT  // wrong: says nothing of its state
#else               // right
  static constexpr bool keeps_nothing = true;
#endif
  // [/fix]
  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& /*f*/) const { return left; }
  static void on_success(permit_type /*held*/) {}
  static void release(permit_type /*held*/) {}
  std::uint32_t left = 100;
};

int main() {
  anew::strategy<daily_quota, anew::circuit_breaker<>> const strategy{};
  auto const state = anew::snapshot(strategy, anew::time_point{});
  return state.parts().size() == 1 ? 0 : 1;
}
