// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_INNER_HPP
#define ANEW_BASE_INTERNAL_INNER_HPP

#include <cstddef>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A policy says of itself that its numbers are wrong. Its `explain()` says which.
template <class P>
concept IsMarkedUnsound = requires { requires !P::is_sound; };

/// Checks the numbers of a policy inside another policy, and reports wrong ones in that policy's own message.
template <class P>
struct numbers_of {
  static constexpr bool is_sound = !IsMarkedUnsound<P>;
  static consteval void explain() {
    if constexpr (!is_sound) P::explain();
  }
};

/// A policy inside another. A policy that is nothing but its type is not stored: two empty members of one type would not
/// share an address, and a sum of equal policies would not be of one byte. `Owner` is the type around it, and `N` tells
/// its inner policies apart.
template <class P, class Owner, std::size_t N = 0,
          bool = std::is_empty_v<P> && std::is_trivially_default_constructible_v<P> && std::is_trivially_copyable_v<P>>
class inner {
 public:
  inner() = default;
  constexpr explicit inner(P policy) : policy_{std::move(policy)} {}
  [[nodiscard]] constexpr P const& get() const noexcept { return policy_; }

 private:
  ANEW_NO_UNIQUE_ADDRESS P policy_;
};

template <class P, class Owner, std::size_t N>
class inner<P, Owner, N, true> {
 public:
  inner() = default;
  constexpr explicit inner(P /*policy*/) noexcept {}
  [[nodiscard]] static constexpr P get() noexcept { return P(); }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
