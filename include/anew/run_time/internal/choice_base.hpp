// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_INTERNAL_CHOICE_BASE_HPP
#define ANEW_RUN_TIME_INTERNAL_CHOICE_BASE_HPP

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "anew/base/internal/inner.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sharing/internal/grants.hpp"
#include "anew/roles/roles.hpp"
#include "anew/strategy/describe.hpp"

namespace anew::inline ANEW_ABI {

template <class Role, class... Policies>
class choice;  // defined in anew/run_time/choice.hpp; each role has its specialisation in this folder

}  // namespace anew::inline ANEW_ABI

namespace anew::inline ANEW_ABI::detail {

template <class... Held>
struct common_held<type_list<Held...>> : std::type_identity<std::variant<std::monostate, Held...>> {};

template <class Role, class... Ps>
inline constexpr bool alternatives_play_the_role = sizeof...(Ps) > 0 && (PlaysRole<Ps, Role> && ...);
template <class... Ps>
inline constexpr bool alternatives_differ = true;
template <class P, class... Ps>
inline constexpr bool alternatives_differ<P, Ps...> = !OneOf<P, Ps...> && alternatives_differ<Ps...>;

template <class P>
consteval bool explain_alternative() {
  numbers_of<P>::explain();
  return numbers_of<P>::is_sound;
}

/// Holds one policy of `Ps`, and its position.
template <class Role, class... Ps>
class choice_base {
 public:
  using role = Role;
  static constexpr bool forwards_members = true;  // the optional functions that an alternative has

  constexpr choice_base() = default;
  template <OneOf<Ps...> P>
  constexpr choice_base(P policy)  // NOLINT(*-explicit-*): a policy converts to a choice
      : held_{std::in_place_type<P>, std::move(policy)} {}
  template <OneOf<Ps...> P, class... Args>
  constexpr explicit choice_base(std::in_place_type_t<P> which, Args&&... args)
      : held_{which, std::forward<Args>(args)...} {}

  /// Replaces the policy, before the strategy is used.
  template <OneOf<Ps...> P, class... Args>
  constexpr void emplace(Args&&... args) {
    held_.template emplace<P>(std::forward<Args>(args)...);
  }

  template <OneOf<Ps...> P>
  [[nodiscard]] constexpr bool holds() const noexcept {
    return std::holds_alternative<P>(held_);
  }
  /// Null where another policy was chosen.
  template <OneOf<Ps...> P>
  [[nodiscard]] constexpr P const* get_if() const noexcept {
    return std::get_if<P>(&held_);
  }
  /// The position of the chosen policy among the alternatives, from 0.
  [[nodiscard]] constexpr std::size_t index() const noexcept { return held_.index(); }

  /// Calls `visitor(policy)` with the chosen policy.
  template <class Visitor>
  constexpr decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(std::forward<Visitor>(visitor), held_);
  }

  /// The same where a policy plays the role; `otherwise` where none does.
  template <class Result, class Visitor>
  constexpr Result visit_or(Result const& otherwise, Visitor const& visitor) const {
    return visit([&]<class P>(P const& policy) -> Result {
      if constexpr (!is_absent<P>) return visitor(policy);
      return otherwise;
    });
  }

  /// The text of the chosen policy; empty where the role is not played.
  [[nodiscard]] std::string describe() const {
    return visit_or(std::string{}, [](auto const& chosen) { return describe_policy(chosen); });
  }

  static constexpr bool is_sound =
      alternatives_play_the_role<Role, Ps...> && alternatives_differ<Ps...> && (numbers_of<Ps>::is_sound && ...);
  static consteval void explain() {
    if constexpr (!alternatives_play_the_role<Role, Ps...>) {
      static_assert(alternatives_play_the_role<Role, Ps...>,
                    "anew::choice<Role, Policies...> requires at least one policy, and policies that play this role. "
                    "Does each say 'using role = Role;'?");
    } else if constexpr (!alternatives_differ<Ps...>) {
      static_assert(
          alternatives_differ<Ps...>,
          "anew::choice<Role, Policies...> requires policies of different types; a policy is chosen by its type, "
          "and two of these types are equal. Omit one of them, or change its value");
    } else {
      static_cast<void>((explain_alternative<Ps>() && ...));
    }
  }

 private:
  std::conditional_t<sizeof...(Ps) == 0, std::variant<std::monostate>, std::variant<Ps...>> held_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
