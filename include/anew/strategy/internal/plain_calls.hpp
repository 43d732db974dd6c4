// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_PLAIN_CALLS_HPP
#define ANEW_STRATEGY_INTERNAL_PLAIN_CALLS_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A policy that is chosen at run time.
template <class P>
concept ChosenAtRunTime = requires(P const& policy) { policy.visit([](auto const& /*chosen*/) {}); };

/// Whether a call that succeeds at once has nothing to ask the policy: it is absent, or a quota that counts no calls.
template <class P>
inline constexpr bool is_unasked = is_absent<P>;
template <class Q>
  requires requires {
    typename Q::permit_type;
    requires PlaysRole<Q, roles::quota>;
  }
inline constexpr bool is_unasked<Q> = !CountsCalls<Q> && !SettlesPermits<Q>;

template <class P>
constexpr bool is_unasked_now(P const& policy) {
  if constexpr (ChosenAtRunTime<P>) {
    return policy.visit([]<class C>(C const& /*chosen*/) { return is_unasked<C>; });
  } else {
    return is_unasked<P>;
  }
}

template <class... Ps>
concept MayBePlain = ((ChosenAtRunTime<Ps> || is_unasked<Ps>) && ...);

/// One word for all optional roles, so that a call does not ask each of them whether it was chosen.
template <bool MayBePlain, class... Ps>
struct plain_if_unasked {
  constexpr plain_if_unasked() : plain_if_unasked{Ps{}...} {}
  constexpr explicit plain_if_unasked(Ps const&... policies) : is_plain{(detail::is_unasked_now(policies) && ...)} {}
  bool is_plain;
};
template <class... Ps>
struct plain_if_unasked<false, Ps...> {
  constexpr plain_if_unasked() noexcept = default;
  constexpr explicit plain_if_unasked(Ps const&... /*policies*/) noexcept {}
  static constexpr bool is_plain = false;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
