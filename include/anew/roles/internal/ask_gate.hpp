// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_INTERNAL_ASK_GATE_HPP
#define ANEW_ROLES_INTERNAL_ASK_GATE_HPP

#include <type_traits>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/roles.hpp"

/// The questions and reports of a strategy to the policies that calls share; optional functions are called where a
/// policy has them.
namespace anew::inline ANEW_ABI::detail {

/// The event that a strategy decides after: a failed attempt, or a look of `poll()`.
enum class follows : unsigned char { attempt, failed_look, not_ready };

/// `place` is the gate's data in the token.
template <class G, class Place, class Now, class Random>
ANEW_INLINE constexpr auto ask_gate(G const& gate, [[maybe_unused]] Place& place, Now&& now,
                                    [[maybe_unused]] Random const& random) {
  if constexpr (!IsAskedWithMore<G>) {
    return gate.try_enter(now);
  } else if constexpr (is_absent<Random>) {
    return gate.try_enter(now, place.value, thread_random{});
  } else {
    return gate.try_enter(now, place.value, random);
  }
}

/// Reports to a gate, and returns what it says that this changed.
ANEW_INLINE constexpr gate_change change_by(auto const& report) {
  if constexpr (std::is_same_v<decltype(report()), gate_change>) {
    return report();
  } else {
    report();
    return {};
  }
}

template <follows Follows = follows::attempt, class G, class Random>
constexpr gate_change tell_gate(G const& gate, typename G::pass_type pass, failure const& what, time_point now,
                                [[maybe_unused]] Random const& random) {
  return detail::change_by([&] {
    if constexpr (Follows == follows::not_ready) {
      return gate.on_success(pass, now);
    } else if constexpr (!requires { gate.on_failure(pass, what, now, thread_random{}); }) {
      return gate.on_failure(pass, what, now);
    } else if constexpr (is_absent<Random>) {
      return gate.on_failure(pass, what, now, thread_random{});
    } else {
      return gate.on_failure(pass, what, now, random);
    }
  });
}

template <follows Follows, class P>
constexpr void tell_pacer(P const& pacer, failure const& what, time_point now) {
  if constexpr (Follows == follows::not_ready) {
    pacer.on_success(now);
  } else {
    pacer.on_failure(what, now);
  }
}

/// Returns false if the retry was not nested.
constexpr bool tell_nested_success(auto const& nesting, auto& held) {
  if (!held.is_held()) return false;
  nesting.on_success(held.take());
  return true;
}

/// Spends the permit of an attempt, or returns it where the request succeeded or the call starts over.
template <follows Follows, class Q>
ANEW_INLINE constexpr void settle_permit(Q const& quota, typename Q::permit_type const& permit, failure const& what,
                                         bool starts_over) {
  bool const is_held = permit != typename Q::permit_type{};  // first attempts hold nothing
  if (starts_over || (Follows == follows::not_ready && is_held)) {
    quota.on_success(permit);
  } else if constexpr (requires { quota.on_failure(permit); }) {
    if (is_held) quota.on_failure(permit);
  }
  if constexpr (Follows != follows::not_ready && requires { quota.on_attempt_failed(what); })
    quota.on_attempt_failed(what);
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
