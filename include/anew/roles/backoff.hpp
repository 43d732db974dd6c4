// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_BACKOFF_HPP
#define ANEW_ROLES_BACKOFF_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// How long to wait before retry n, before jitter: the envelope that jitter draws within.
///
/// | expression                   | returns    | meaning                                       | when absent         |
/// |------------------------------|------------|-----------------------------------------------|---------------------|
/// | `typename B::role`           |            | `roles::backoff`                              | required            |
/// | `b.delay(n)`, `b` const      | `duration` | the delay before retry n; n counts from 1     | required            |
/// | `b.delay(progress)`          | `duration` | the same, for a backoff that distinguishes kinds of errors | `b.delay(n)`   |
/// | `B::needs_counts`, false     |            | `delay(progress)` reads the kind of the last failure, and counts no kinds | it counts |
/// | `b.cap()`, `b` const         | `duration` | no delay of this strategy is longer           | `duration::max()`   |
/// | `b.describe()`, `b` const    | string     | the policy in `describe()`'s notation         | the type's name     |
///
/// Laws: `0 <= delay(n) <= cap()` for every n up to 2^32-1; pure; safe from many threads.
template <class B>
concept Backoff = detail::PlaysRole<B, roles::backoff> && requires(B const& b, std::uint32_t retry) {
  { b.delay(retry) } -> detail::Exactly<duration>;
};

namespace detail {

template <class B>
concept DelaysByKind = requires(B const& b, call_progress const& progress) {
  { b.delay(progress) } -> Exactly<duration>;
};

/// A backoff that does not distinguish kinds of errors, so that the token need not count by kind.
template <class P>
concept CountsNothingByKind = requires { requires !P::needs_counts; };

constexpr duration cap_of(auto const& backoff) noexcept {
  if constexpr (requires { backoff.cap(); }) return backoff.cap();
  return duration::max();
}

template <>
struct row<roles::backoff> {
  template <class P>
  static constexpr bool models = Backoff<P>;
  template <class P>
  static consteval void explain() {
    static_assert(Backoff<P>,
                  "anew::strategy<Policies...> requires a Backoff policy to have 'anew::duration delay(std::uint32_t "
                  "retry) const', even if it has 'delay(anew::call_progress const&) const' too. Check the name, the "
                  "types and const");
  }
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
