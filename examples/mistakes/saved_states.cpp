// SPDX-License-Identifier: BSL-1.0
// chapter: Saved states

#include <cstdint>
#include <optional>

#include "anew/anew.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/state/saved_state.hpp"

// section: A snapshot of a quota of your own
// Nothing tells anew what your quota has counted. Declare that it keeps nothing, and save its state yourself; or pass the
// other policies one by one.
// expect-error: require policies whose state they know
namespace snapshot_of_a_quota_of_your_own {
struct daily_quota {
  using role = anew::roles::quota;
  using permit_type = std::uint32_t;
#ifdef ANEW_REJECT  // wrong: says nothing of its state
#else               // right
  static constexpr bool keeps_nothing = true;
#endif
  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& /*f*/) const { return left; }
  static void on_success(permit_type /*held*/) {}
  static void release(permit_type /*held*/) {}
  std::uint32_t left = 100;
};

int run() {
  anew::strategy<daily_quota, anew::circuit_breaker<>> const strategy{};
  auto const state = anew::snapshot(strategy, anew::time_point{});
  return state.parts().size() == 1 ? 0 : 1;
}
}  // namespace snapshot_of_a_quota_of_your_own

// section: A snapshot of what counts nothing
// Quotas, gates and pacers count for all calls; a backoff, a limit or a classifier does not.
// expect-error: require a strategy, a quota, a gate or a pacer
namespace snapshot_of_a_backoff {
int run() {
  anew::strategy<anew::token_bucket<>> const strategy{};
#ifdef ANEW_REJECT  // wrong
  auto const state = anew::snapshot(strategy.backoff(), anew::time_point{});
#else  // right
  auto const state = anew::snapshot(strategy.quota(), anew::time_point{});
#endif
  return state.parts().size() == 1 ? 0 : 1;
}
}  // namespace snapshot_of_a_backoff

// section: A snapshot of what ends with the process
// A concurrency_budget counts calls under way and their retries. After a restart these are gone, so there is nothing to
// restore. A snapshot of a strategy omits it.
// expect-error: require a policy whose state is worth keeping
namespace snapshot_of_a_concurrency_budget {
int run() {
  anew::strategy<anew::concurrency_budget<>, anew::circuit_breaker<>> const strategy{};
#ifdef ANEW_REJECT  // wrong
  auto const state = anew::snapshot(strategy.quota(), anew::time_point{});
#else  // right
  auto const state = anew::snapshot(strategy, anew::time_point{});
#endif
  return state.parts().size() == 1 ? 0 : 1;
}
}  // namespace snapshot_of_a_concurrency_budget
