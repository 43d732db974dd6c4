// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_NESTING_HPP
#define ANEW_ROLES_NESTING_HPP

#include <concepts>
#include <optional>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Limits the retries of a call inside another call's attempt: without a guard three attempts inside three are nine.
///
/// | expression, `n` const         | returns                      | meaning                                               |
/// |-------------------------------|------------------------------|-------------------------------------------------------|
/// | `typename N::role`            |                              | `roles::nesting`                                      |
/// | `typename N::permit_type`     |                              | what one retry of a nested call holds; `{}` means nothing |
/// | `n.enter(quota)`              | a scope                      | lives while an attempt runs, on its thread: calls in it are nested |
/// | `n.is_nested()`               | `bool`                       | whether the call runs inside another call's attempt           |
/// | `n.try_acquire(failure)`      | `std::optional<permit_type>` | asks whether a nested call may retry, instead of the call's own quota |
/// | `N::refusal`                  | `stop_reason`                | the reason of the end after a refusal                     |
/// | `n.on_success(permit)`, `n.on_failure(permit)`, `n.release(permit)` | | as of a quota                            |
///
/// Models: nesting_guard.
template <class N>
concept Nesting = detail::PlaysRole<N, roles::nesting> && std::regular<typename N::permit_type> &&
                  requires(N const& n, failure const& f, typename N::permit_type permit) {
                    { n.is_nested() } -> detail::Exactly<bool>;
                    { n.try_acquire(f) } -> detail::Exactly<std::optional<typename N::permit_type>>;
                    { N::refusal } -> std::convertible_to<stop_reason>;
                    n.on_success(permit);
                    n.on_failure(permit);
                    n.release(permit);
                  };

namespace detail {

template <class N>
constexpr stop_reason refusal_of([[maybe_unused]] N const& nesting) noexcept {
  if constexpr (requires { nesting.refusal_now(); }) {  // a choice
    return nesting.refusal_now();
  } else {
    return N::refusal;
  }
}

}  // namespace detail
template <>
struct detail::row<roles::nesting> {
  template <class P>
  static constexpr bool models = is_absent<P> || Nesting<P>;
  template <class P>
  static consteval void explain() {
    static_assert(Nesting<P>,
                  "anew::strategy<Policies...> requires a Nesting policy to have all that the table in "
                  "anew/roles/nesting.hpp names. Did you mean anew::nesting_guard<>?");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
