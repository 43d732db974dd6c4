// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_FOR_KIND_HPP
#define ANEW_CONCEPT_FOR_KIND_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/failure.hpp"

namespace anew::inline ANEW_ABI {

/// A policy for errors of one kind, as a part of `per_kind_backoff` and `per_kind_attempts`.
template <error_kind Kind, class Policy>
struct for_kind {
  static constexpr error_kind kind = Kind;
  using policy_type = Policy;
  ANEW_NO_UNIQUE_ADDRESS Policy policy;
};

/// The same for values known at run time: `on_kind<error_kind::throttling>(exponential_backoff{base, cap})`.
template <error_kind Kind, class Policy>
[[nodiscard]] constexpr for_kind<Kind, std::remove_cvref_t<Policy>> on_kind(Policy&& policy) {
  return {std::forward<Policy>(policy)};
}

namespace detail {

template <class P>
inline constexpr bool is_for_kind = false;
template <error_kind Kind, class Policy>
inline constexpr bool is_for_kind<for_kind<Kind, Policy>> = true;

/// An empty policy takes no room however often it occurs: it is made where it is asked.
template <class P>
inline constexpr bool is_made_on_demand = std::is_empty_v<P> && std::is_default_constructible_v<P>;

/// `Owner` makes it a type of its own, so that two of them may share an address.
template <class P, class Owner, bool = is_made_on_demand<P>>
struct rule_policy {
  P policy;
  [[nodiscard]] constexpr P const& get() const noexcept { return policy; }
};
template <class P, class Owner>
struct rule_policy<P, Owner, true> {
  constexpr rule_policy() noexcept = default;
  constexpr explicit rule_policy(P const& /*policy*/) noexcept {}
  [[nodiscard]] static constexpr P get() noexcept { return P{}; }
};

/// Policies for kinds and, last, the one for all others. `ask(progress, question)` calls `question(policy, count)` with
/// the policy that the kind of the last failure belongs to, and with how many failures that policy has had.
template <class... Rules>
struct kind_rules;

template <class Default>
struct kind_rules<Default> {
  static constexpr bool is_well_formed = !is_for_kind<Default>;
  static constexpr bool names(error_kind /*kind*/) noexcept { return false; }
  static constexpr bool names_twice = false;

  constexpr kind_rules() = default;
  constexpr explicit kind_rules(Default policy) : rest{std::move(policy)} {}

  template <class Question>
  constexpr auto ask(error_kind /*kind*/, std::uint32_t /*named*/, std::uint32_t others, Question const& q) const {
    return q(rest.get(), others);
  }
  [[nodiscard]] constexpr decltype(auto) fallback() const noexcept { return rest.get(); }
  template <class Visit>
  constexpr void each(Visit const& visit) const {
    visit(rest.get());
  }
  template <class Visit>
  void each_with_name(Visit const& visit) const {
    visit(static_cast<char const*>(nullptr), rest.get());
  }

  ANEW_NO_UNIQUE_ADDRESS rule_policy<Default, kind_rules> rest;
};

template <error_kind Kind, class Policy, class Next, class... Rules>
struct kind_rules<for_kind<Kind, Policy>, Next, Rules...> {
  using others_type = kind_rules<Next, Rules...>;
  static constexpr bool is_well_formed = others_type::is_well_formed;
  static constexpr bool names(error_kind kind) noexcept { return kind == Kind || others_type::names(kind); }
  static constexpr bool names_twice = others_type::names(Kind) || others_type::names_twice;

  constexpr kind_rules() = default;
  template <class... Given>
    requires(sizeof...(Given) == 1 + sizeof...(Rules))
  constexpr explicit kind_rules(for_kind<Kind, Policy> own_rule, Given&&... given)
      : own{std::move(own_rule.policy)}, others{std::forward<Given>(given)...} {}

  template <class Question>
  constexpr auto ask(error_kind kind, std::uint32_t named, std::uint32_t unnamed, Question const& q) const {
    return kind == Kind ? q(own.get(), named) : others.ask(kind, named, unnamed, q);
  }
  [[nodiscard]] constexpr decltype(auto) fallback() const noexcept { return others.fallback(); }
  template <class Visit>
  constexpr void each(Visit const& visit) const {
    visit(own.get());
    others.each(visit);
  }
  template <class Visit>
  void each_with_name(Visit const& visit) const {
    visit(to_string(Kind), own.get());
    others.each_with_name(visit);
  }

  ANEW_NO_UNIQUE_ADDRESS rule_policy<Policy, kind_rules> own;
  ANEW_NO_UNIQUE_ADDRESS others_type others;
};

/// Rules that are no rules: the last one is missing, or another comes before it.
template <class First, class... Rules>
  requires(!is_for_kind<First> && sizeof...(Rules) > 0)
struct kind_rules<First, Rules...> {
  static constexpr bool is_well_formed = false;
  static constexpr bool names_twice = false;
  static constexpr bool names(error_kind /*kind*/) noexcept { return false; }
};
template <>
struct kind_rules<> {
  static constexpr bool is_well_formed = false;
  static constexpr bool names_twice = false;
};

/// How many failures the policy for all kinds that are not named has had.
template <class Rules>
constexpr std::uint32_t count_of_others(kind_counts const& counts) noexcept {
  std::uint32_t sum = 0;
  for (auto kind :
       {error_kind::transient, error_kind::throttling, error_kind::timeout, error_kind::server, error_kind::client}) {
    if (Rules::names(kind)) continue;
    auto const count = counts.of(kind);
    sum = count > ~std::uint32_t{0} - sum ? ~std::uint32_t{0} : sum + count;
  }
  return sum;
}

template <class Rules>
std::string describe_rules(std::string text, Rules const& rules) {
  bool first = true;
  rules.each_with_name([&]<class P>(char const* name, P const& policy) {
    if (!first) text.append(",");
    first = false;
    if (name != nullptr) text.append(name).append("=");
    if constexpr (requires { policy.describe(); }) {
      text.append(policy.describe());
    } else {
      text.append("custom");
    }
  });
  return text.append(")");
}

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
