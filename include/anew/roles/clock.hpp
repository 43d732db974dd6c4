// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_CLOCK_HPP
#define ANEW_ROLES_CLOCK_HPP

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class C>
concept SteadyClock = requires { requires C::is_steady; };

}  // namespace detail

/// The source of the time. A strategy that needs no time never reads it.
///
/// | expression, `c` const | returns      | meaning                                                             |
/// |-----------------------|--------------|---------------------------------------------------------------------|
/// | `typename C::role`    |              | `roles::clock`                                                      |
/// | `C::is_steady`        | `true`       | never goes back, never jumps: a wall clock would cut or stretch calls |
/// | `c.now()`             | `time_point` | safe from many threads                                              |
///
/// Models: std_clock; a manual clock in your tests.
template <class C>
concept Clock = detail::PlaysRole<C, roles::clock> && detail::SteadyClock<C> && requires(C const& c) {
  { c.now() } -> detail::Exactly<time_point>;
};

template <>
struct detail::row<roles::clock> {
  template <class P>
  static constexpr bool models = is_absent<P> || Clock<P>;
  template <class P>
  static consteval void explain() {
    if constexpr (!SteadyClock<P>) {
      static_assert(SteadyClock<P>,
                    "anew::strategy<Policies...> requires a Clock policy to be steady: calls would end early or late "
                    "by a clock that is set. If yours is never set, write 'static constexpr bool is_steady = true'; "
                    "else use std::chrono::steady_clock");
    } else {
      static_assert(Clock<P>,
                    "anew::strategy<Policies...> requires a Clock policy to have 'anew::time_point now() const'. "
                    "Check the name, the type and const");
    }
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
