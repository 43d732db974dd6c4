// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_MAX_ATTEMPTS_HPP
#define ANEW_ROLES_MAX_ATTEMPTS_HPP

#include <cstdint>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Limits the attempts of one call.
///
/// | expression, `m` const          | returns | meaning                                                        |
/// |--------------------------------|---------|----------------------------------------------------------------|
/// | `typename M::role`             |         | `roles::max_attempts`                                          |
/// | `m.permits_another(made)`      | `bool`  | whether another attempt may follow after `made` attempts (from 1)  |
///
/// A policy that counts by kind of error also has `m.permits_another(progress)`, with a `call_progress`, which is
/// called instead. With `static constexpr bool needs_counts = false` it reads the kind of the last failure, and counts no
/// kinds.
template <class M>
concept MaxAttempts = detail::PlaysRole<M, roles::max_attempts> && requires(M const& m, std::uint32_t made) {
  { m.permits_another(made) } -> detail::Exactly<bool>;
};

namespace detail {

template <class M>
concept LimitsByKind = requires(M const& m, call_progress const& progress) {
  { m.permits_another(progress) } -> Exactly<bool>;
};

template <>
struct row<roles::max_attempts> {
  template <class P>
  static constexpr bool models = MaxAttempts<P>;
  template <class P>
  static consteval void explain() {
    static_assert(MaxAttempts<P>,
                  "anew::strategy<Policies...> requires a MaxAttempts policy to have 'bool "
                  "permits_another(std::uint32_t made) const'. Check the name, the types and const");
  }
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
