// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_INTERNAL_INNER_POLICY_HPP
#define ANEW_CONCEPT_INTERNAL_INNER_POLICY_HPP

#include <type_traits>
#include <utility>

#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A policy inside another. One that is nothing but its type is not stored: two empty members of one type would not
/// share an address, and a sum of equal numbers would not be of one byte. `Owner` and `Index` differ for every member.
template <class P, class Owner, int Index = 0,
          bool = std::is_empty_v<P> && std::is_trivially_default_constructible_v<P> && std::is_trivially_copyable_v<P>>
class inner_policy {
 public:
  inner_policy() = default;
  constexpr explicit inner_policy(P policy) : policy_{std::move(policy)} {}
  [[nodiscard]] constexpr P const& get() const noexcept { return policy_; }

 private:
  ANEW_NO_UNIQUE_ADDRESS P policy_;
};

template <class P, class Owner, int Index>
class inner_policy<P, Owner, Index, true> {
 public:
  inner_policy() = default;
  constexpr explicit inner_policy(P /*policy*/) noexcept {}
  [[nodiscard]] static constexpr P get() noexcept { return P{}; }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
