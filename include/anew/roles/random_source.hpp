// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_RANDOM_SOURCE_HPP
#define ANEW_ROLES_RANDOM_SOURCE_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A random source as a policy of a strategy, instead of the thread's own generator.
///
/// | expression, `r` const | returns         | meaning                                                        |
/// |-----------------------|-----------------|----------------------------------------------------------------|
/// | `typename R::role`    |                 | `roles::random_source`                                         |
/// | `r()`                 | `std::uint64_t` | uniform over the whole range; safe from many threads           |
///
/// Choose it for tests that need the same delays each time. Never share a seed between processes.
template <class R>
concept RandomSourcePolicy = detail::PlaysRole<R, roles::random_source> && RandomSource<R const>;

template <>
struct detail::row<roles::random_source> {
  template <class P>
  static constexpr bool models = is_absent<P> || RandomSourcePolicy<P>;
  template <class P>
  static consteval void explain() {
    static_assert(RandomSourcePolicy<P>,
                  "anew::strategy<Policies...> requires a random source to have 'std::uint64_t operator()() const'. "
                  "Check the type and const");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
