// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_INTERNAL_SEVERAL_HPP
#define ANEW_ROLES_INTERNAL_SEVERAL_HPP

#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

#include "anew/base/internal/inner.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The policy's own description; `otherwise` for a user's policy without `describe()`.
std::string describe_member(auto const& policy, char const* otherwise) {
  if constexpr (requires {
                  { policy.describe() } -> std::convertible_to<std::string>;
                }) {
    return policy.describe();
  } else {
    return otherwise;
  }
}

/// A value for each of several policies. Not a tuple, whose header would weigh on every program.
template <std::size_t Index, class T>
struct kept_at {
  T value;
};
template <class Indices, class... Ts>
struct kept_for_each;
template <std::size_t... Indices, class... Ts>
struct kept_for_each<std::index_sequence<Indices...>, Ts...> : kept_at<Indices, Ts>... {};
template <std::size_t Index, class T>
constexpr T& kept_in(kept_at<Index, T>& kept) noexcept {
  return kept.value;
}

/// Holds several policies of one role; empty policies take no space.
template <class Indices, class... Ps>
class several_policies;
template <std::size_t... Indices, class... Ps>
class several_policies<std::index_sequence<Indices...>, Ps...> : inner<Ps, several_policies<void>, Indices>... {
 public:
  constexpr several_policies()
    requires(std::default_initializable<Ps> && ...)
  = default;
  constexpr explicit several_policies(Ps... policies)
    requires(sizeof...(Ps) > 0)
      : inner<Ps, several_policies<void>, Indices>{std::move(policies)}... {}

  /// Calls `ask` with each policy in turn, until it returns true.
  constexpr void until(auto ask) const {
    static_cast<void>((ask(static_cast<inner<Ps, several_policies<void>, Indices> const&>(*this).get()) || ...));
  }
  constexpr void each(auto tell) const {
    (tell(static_cast<inner<Ps, several_policies<void>, Indices> const&>(*this).get()), ...);
  }

  /// Calls `tell` with each policy and its value in `kept`, a kept_for_each.
  constexpr void each_with(auto& kept, auto tell) const {
    (tell(static_cast<inner<Ps, several_policies<void>, Indices> const&>(*this).get(), detail::kept_in<Indices>(kept)),
     ...);
  }
  /// Calls `use` with all of them at once.
  constexpr decltype(auto) all(auto use) const {
    return use(static_cast<inner<Ps, several_policies<void>, Indices> const&>(*this).get()...);
  }

  /// "any_of(retry_all,retry_if)".
  [[nodiscard]] std::string describe(std::string text, char const* otherwise) const {
    char const* between = "(";
    each([&](auto const& member) {
      text.append(std::exchange(between, ",")).append(detail::describe_member(member, otherwise));
    });
    return text.append(")");
  }
};

template <class... Ps>
using several = several_policies<std::index_sequence_for<Ps...>, Ps...>;

}  // namespace anew::inline ANEW_ABI::detail

#endif
