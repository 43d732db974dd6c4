// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_DEADLINE_HPP
#define ANEW_ROLES_DEADLINE_HPP

#include <optional>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Limits the time of one call, and decides about a delay that would exceed it.
///
/// | expression, `d` const      | returns                   | meaning                                                  |
/// |----------------------------|---------------------------|----------------------------------------------------------|
/// | `typename D::role`         |                           | `roles::deadline`                                        |
/// | `d.total()`                | `duration`                | from the start of the call                               |
/// | `d.fit(delay, remaining)`  | `std::optional<duration>` | the delay to wait, at most `remaining`; nothing: give up |
///
/// Models: deadline, poll_deadline.
template <class D>
concept Deadline = detail::PlaysRole<D, roles::deadline> && requires(D const& d, duration delay) {
  { d.total() } -> detail::Exactly<duration>;
  { d.fit(delay, delay) } -> detail::Exactly<std::optional<duration>>;
};

namespace detail {

/// Whether a wait that begins now lasts until the call must end.
constexpr bool reaches(time_point end, duration wait, time_point now) noexcept {
  return wait >= saturating_subtract(end, now);
}

}  // namespace detail
template <>
struct detail::row<roles::deadline> {
  template <class P>
  static constexpr bool models = is_absent<P> || Deadline<P>;
  template <class P>
  static consteval void explain() {
    static_assert(Deadline<P>,
                  "anew::strategy<Policies...> requires a Deadline policy to have all of 'anew::duration total() "
                  "const' and 'std::optional<anew::duration> fit(anew::duration delay, anew::duration remaining) "
                  "const'. Check the names, the types and const");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
