// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_JITTER_HPP
#define ANEW_ROLES_JITTER_HPP

#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The bounds of a delay, from the backoff, for a jitter with state.
struct delay_bounds {
  duration first;    ///< the backoff's first delay above zero; after 32 that are zero, its delay before this retry
  duration ceiling;  ///< the backoff's delay before this retry
  duration cap;      ///< no delay is longer
};

namespace detail {

// Two named concepts, so that compilers say in one line which form a jitter does not satisfy.
template <class J>
concept AppliesToCeiling = requires(J const& j, duration ceiling, thread_random& random) {
  { j.apply(ceiling, random) } -> Exactly<duration>;
};
template <class J>
concept AppliesWithState =
    std::is_default_constructible_v<typename J::state_type> && std::is_copy_constructible_v<typename J::state_type> &&
    std::is_copy_assignable_v<typename J::state_type> &&  // not std::semiregular, for which clang prints 30 lines
    requires(J const& j, delay_bounds const& bounds, typename J::state_type& state, thread_random& random) {
      { j.apply(bounds, state, random) } -> Exactly<duration>;
    };

}  // namespace detail

/// Draws each caller's delay within the envelope, so that callers that failed at the same moment do not
/// retry at the same moment.
///
/// | expression                              | returns    | meaning                                      |
/// |-----------------------------------------|------------|----------------------------------------------|
/// | `typename J::role`                      |            | `roles::jitter`                              |
/// | `j.apply(ceiling, random)`, `j` const   | `duration` | a delay in [0, ceiling]                      |
///
/// A jitter with state within one call has `typename J::state_type`, default-constructible and copyable, and
/// instead `j.apply(bounds, state, random)`, a delay in [0, bounds.cap]; the token of the call carries the state. It is not
/// asked about an immediate retry.
///
/// Laws: within its bounds for every ceiling; spread at the cap too; `random` is touched only here.
template <class J>
concept Jitter = detail::PlaysRole<J, roles::jitter> && (detail::AppliesToCeiling<J> || detail::AppliesWithState<J>);

namespace detail {

struct no_state {};

template <class J>
struct jitter_state : std::type_identity<no_state> {};
template <class J>
  requires requires { typename J::state_type; }
struct jitter_state<J> : std::type_identity<typename J::state_type> {};

template <>
struct row<roles::jitter> {
  template <class P>
  static constexpr bool models = Jitter<P>;
  template <class P>
  static consteval void explain() {
    if constexpr (std::is_same_v<typename jitter_state<P>::type, no_state>) {
      static_assert(AppliesToCeiling<P>,
                    "anew::strategy<Policies...> requires a Jitter policy to have 'anew::duration "
                    "apply(anew::duration ceiling, R& random) const'. Check the name, the types and const");
    } else {
      static_assert(
          AppliesWithState<P>,
          "anew::strategy<Policies...> requires a Jitter policy with a 'state_type' to have "
          "'anew::duration apply(anew::delay_bounds const& bounds, state_type& state, R& random) const', and a "
          "state_type that is default-constructible and copyable. Check the name, the types and const");
    }
  }
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
