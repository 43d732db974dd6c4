// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_ATTEMPT_TIMEOUT_HPP
#define ANEW_ROLES_ATTEMPT_TIMEOUT_HPP

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// How long one attempt may take.
///
/// | expression, `l` const     | returns    | meaning                                                                   |
/// |---------------------------|------------|---------------------------------------------------------------------------|
/// | `typename L::role`        |            | `roles::attempt_timeout`                                                    |
/// | `l.of(remaining)`         | `duration` | for the attempt that begins now; `remaining` is what is left of the call's deadline, `duration::max()` without one |
/// | `L::needs_deadline`       | `bool`     | optional, false: true forbids a strategy without a deadline               |
///
/// Laws: `of` returns no negative timeout, and no zero while time remains; with more time left the timeout is not
/// shorter; it may exceed `remaining`, which limits the attempt anyway; `of` does not throw.
/// Drivers ask once before each attempt whose operation takes its `anew::attempt`; the operation reads the answer by
/// `attempt::limit()`. A blocking driver can only pass the timeout on; an asynchronous driver ends the attempt with a
/// time-out.
/// Models: attempt_timeout, attempt_timeout_share.
template <class L>
concept AttemptTimeout = detail::PlaysRole<L, roles::attempt_timeout> && requires(L const& l, duration remaining) {
  { l.of(remaining) } -> detail::Exactly<duration>;
};

namespace detail {

/// A policy that needs a deadline, because it computes a share of one.
template <class P>
concept NeedsDeadline = requires { requires P::needs_deadline; };

/// A strategy that limits each attempt.
template <class S>
concept HasAttemptTimeout = requires { requires S::has_attempt_timeout; };

template <>
struct row<roles::attempt_timeout> {
  template <class P>
  static constexpr bool models = is_absent<P> || AttemptTimeout<P>;
  template <class P>
  static consteval void explain() {
    static_assert(AttemptTimeout<P>,
                  "anew::strategy<Policies...> requires an AttemptTimeout policy to have 'anew::duration "
                  "of(anew::duration remaining) const'. Check the name, the types and const");
  }
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
