// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_RESET_HPP
#define ANEW_ROLES_RESET_HPP

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Decides when a call starts over after a failed attempt: a connection that broke after an hour differs from a
/// connection that was never established.
///
/// | expression, `r` const | returns | meaning                                                                       |
/// |-----------------------|---------|-------------------------------------------------------------------------------|
/// | `typename R::role`    |         | `roles::reset`                                                                |
/// | `r.starts_over(ran)`  | `bool`  | whether the failed attempt ran long enough to count as a success |
///
/// A call that starts over counts its attempts, delays and kinds of errors from the beginning again, and reports a
/// success to its quota. The attempt's number continues, and so does the deadline.
/// Models: reset_after.
template <class R>
concept Reset = detail::PlaysRole<R, roles::reset> && requires(R const& r, duration ran) {
  { r.starts_over(ran) } -> detail::Exactly<bool>;
};

template <>
struct detail::row<roles::reset> {
  template <class P>
  static constexpr bool models = is_absent<P> || Reset<P>;
  template <class P>
  static consteval void explain() {
    static_assert(Reset<P>,
                  "anew::strategy<Policies...> requires a Reset policy to have 'bool starts_over(anew::duration ran) "
                  "const'. Check the name, the types and const");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
