// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_FOR_KIND_HPP
#define ANEW_ROLES_FOR_KIND_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/failure.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/internal/several.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A policy for errors of one kind, as a part of `counted_by_kind_backoff`, `by_kind_backoff` and `max_attempts_by_kind`.
template <error_kind Kind, class Policy>
struct for_kind {
  static constexpr error_kind kind = Kind;
  using policy_type = Policy;
  ANEW_NO_UNIQUE_ADDRESS Policy policy;
};

/// Makes a `for_kind` of a policy whose values are known at run time: `on_kind<error_kind::throttling>(exponential_backoff{base, cap})`.
template <error_kind Kind, class Policy>
[[nodiscard]] constexpr for_kind<Kind, std::remove_cvref_t<Policy>> on_kind(Policy&& policy) {
  return {std::forward<Policy>(policy)};
}

namespace detail {

/// Rules for kinds, and last the policy for all other kinds. A list without a last policy, or with one before the end,
/// has no rules.
template <class... Rules>
struct kind_rules {
  static constexpr bool names(error_kind /*kind*/) noexcept { return false; }
  static constexpr bool names_twice = false;
};

template <class Default>
struct kind_rules<Default> {
  static constexpr bool names(error_kind /*kind*/) noexcept { return false; }
  static constexpr bool names_twice = false;

  constexpr kind_rules() = default;
  constexpr explicit kind_rules(Default policy) : rest{std::move(policy)} {}

  /// Calls `q(policy, count)` with the policy for the kind of the last failure, and with the number of failures that
  /// fall under that policy.
  constexpr auto ask(error_kind /*kind*/, std::uint32_t /*named*/, std::uint32_t others, auto const& q) const {
    return q(rest.get(), others);
  }
  [[nodiscard]] constexpr decltype(auto) fallback() const noexcept { return rest.get(); }
  /// Calls `visit(name, policy)`; the name of the last policy is empty.
  constexpr void each(auto const& visit) const { visit(static_cast<char const*>(nullptr), rest.get()); }

  ANEW_NO_UNIQUE_ADDRESS inner<Default, kind_rules> rest;
};

template <error_kind Kind, class Policy, class Next, class... Rules>
struct kind_rules<for_kind<Kind, Policy>, Next, Rules...> {
  using others_type = kind_rules<Next, Rules...>;
  static constexpr bool names(error_kind kind) noexcept { return kind == Kind || others_type::names(kind); }
  static constexpr bool names_twice = others_type::names(Kind) || others_type::names_twice;

  constexpr kind_rules() = default;
  template <class... Given>
    requires(sizeof...(Given) == 1 + sizeof...(Rules))
  constexpr explicit kind_rules(for_kind<Kind, Policy> own_rule, Given&&... given)
      : own{std::move(own_rule.policy)}, others{std::forward<Given>(given)...} {}

  constexpr auto ask(error_kind kind, std::uint32_t named, std::uint32_t unnamed, auto const& q) const {
    return kind == Kind ? q(own.get(), named) : others.ask(kind, named, unnamed, q);
  }
  [[nodiscard]] constexpr decltype(auto) fallback() const noexcept { return others.fallback(); }
  constexpr void each(auto const& visit) const {
    visit(to_string(Kind), own.get());
    others.each(visit);
  }

  ANEW_NO_UNIQUE_ADDRESS inner<Policy, kind_rules> own;
  ANEW_NO_UNIQUE_ADDRESS others_type others;
};

template <class Role, class... Rules>
inline constexpr bool every_rule_has_a_policy = false;
template <class Role, error_kind Kind, class P, class Next, class... Rules>
inline constexpr bool every_rule_has_a_policy<Role, for_kind<Kind, P>, Next, Rules...> =
    every_rule_has_a_policy<Role, P> && every_rule_has_a_policy<Role, Next, Rules...>;
template <class Default>
inline constexpr bool every_rule_has_a_policy<roles::backoff, Default> = Backoff<Default>;
template <class Default>
inline constexpr bool every_rule_has_a_policy<roles::max_attempts, Default> = MaxAttempts<Default>;

template <class... Rules>
inline constexpr bool no_kind_is_named_twice = !kind_rules<Rules...>::names_twice;

template <error_kind Kind, class P>
struct numbers_of<for_kind<Kind, P>> : numbers_of<P> {};

}  // namespace detail

/// Not in namespace detail: ADL on a strategy considers the base classes of its policies.
namespace kinds {

/// Base of the policies that are made of rules, whatever question they answer and however they count failures.
template <class Role, class... Rules>
class ruled {
 public:
  constexpr ruled() = default;
  template <class... Given>
    requires(sizeof...(Given) == sizeof...(Rules) && (std::is_constructible_v<Rules, Given> && ...))
  constexpr explicit ruled(Given&&... rules) : rules_{std::forward<Given>(rules)...} {}

  static constexpr bool tells_apart(error_kind kind) noexcept { return detail::kind_rules<Rules...>::names(kind); }

  static constexpr bool is_sound = detail::every_rule_has_a_policy<Role, Rules...> &&
                                   detail::no_kind_is_named_twice<Rules...> &&
                                   (detail::numbers_of<Rules>::is_sound && ...);
  static consteval void explain() {
    if constexpr (!detail::every_rule_has_a_policy<Role, Rules...>) {
      static_assert(detail::every_rule_has_a_policy<Role, Rules...>,
                    "anew::counted_by_kind_backoff, by_kind_backoff and max_attempts_by_kind require for_kind<Kind, "
                    "Policy>... and a "
                    "plain policy as the last argument: the default for all other kinds. Each is a Backoff, or each a "
                    "MaxAttempts. Add the default, or correct the rule");
    } else {
      (detail::numbers_of<Rules>::explain(), ...);
      static_assert(
          detail::no_kind_is_named_twice<Rules...>,
          "anew::counted_by_kind_backoff, by_kind_backoff and max_attempts_by_kind require each kind at most once; a "
          "kind is named twice. Remove one of its rules");
    }
  }

 protected:
  /// Asks the rule for the kind of the last failure, with the number of failures that belong to that rule.
  [[nodiscard]] constexpr auto ask_with_own_count(call_progress const& progress, auto const& question) const {
    auto const others = progress.counts.of_others(detail::kind_rules<Rules...>::names);
    return rules_.ask(progress.kind, progress.counts.of(progress.kind), others, question);
  }

  [[nodiscard]] std::string describe_as(char const* name) const {
    std::string text{name};
    char const* between = "(";
    rules_.each([&](char const* kind, auto const& policy) {
      text.append(std::exchange(between, ","));
      if (kind != nullptr) text.append(kind).append("=");
      text.append(detail::describe_member(policy, "custom"));
    });
    return text.append(")");
  }

  ANEW_NO_UNIQUE_ADDRESS detail::kind_rules<Rules...> rules_;
};

}  // namespace kinds
}  // namespace anew::inline ANEW_ABI

#endif
