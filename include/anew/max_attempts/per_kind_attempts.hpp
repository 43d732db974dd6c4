// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_MAX_ATTEMPTS_PER_KIND_ATTEMPTS_HPP
#define ANEW_MAX_ATTEMPTS_PER_KIND_ATTEMPTS_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/concept/for_kind.hpp"
#include "anew/concept/max_attempts.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/failure.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class... Rules>
struct every_rule_has_a_limit {
  static constexpr bool value = false;
};
template <error_kind Kind, class M, class Next, class... Rules>
struct every_rule_has_a_limit<for_kind<Kind, M>, Next, Rules...> {
  static constexpr bool value = MaxAttempts<M> && every_rule_has_a_limit<Next, Rules...>::value;
};
template <class Default>
struct every_rule_has_a_limit<Default> {
  static constexpr bool value = MaxAttempts<Default>;
};

template <class... Rules>
struct no_kind_is_limited_twice {
  static constexpr bool value = !kind_rules<Rules...>::names_twice;
};

}  // namespace detail

/// A limit for each kind of error that is named, and the last one for all others:
/// `per_kind_attempts<for_kind<error_kind::throttling, max_attempts<8>>, max_attempts<3>>`.
///
/// Each of them counts for itself: here the eighth throttling of a call ends it, and so does the third failure of all
/// other kinds together, whichever comes first. So the limits add up: at most 7 + 2 retries.
/// `per_kind_attempts{on_kind<error_kind::throttling>(max_attempts{n}), max_attempts{3}}` takes values known at run
/// time.
///
/// Models: MaxAttempts (by kind)
/// Formula: another attempt when M(kind) permits one after as many as the failures of the kinds that belong to M
/// Requires: MaxAttempts, the one for all others last; no kind twice
/// Cost: 20 bytes in the token, to count by
/// Choose it where some errors are worth more patience than others. Not to bound the call as a whole: a deadline.
/// Source: AWS Step Functions retriers, each with its own counter.
template <class... Rules>
class per_kind_attempts {
  using rules_type = detail::kind_rules<Rules...>;

 public:
  using role = roles::max_attempts;

  constexpr per_kind_attempts() = default;
  template <class... Given>
    requires(sizeof...(Given) == sizeof...(Rules) && (std::is_constructible_v<Rules, Given> && ...))
  constexpr explicit per_kind_attempts(Given&&... rules) : rules_{std::forward<Given>(rules)...} {}

  [[nodiscard]] constexpr bool permits_another(call_progress const& progress) const {
    return rules_.ask(progress.kind, progress.counts.of(progress.kind),
                      detail::count_of_others<rules_type>(progress.counts),
                      [](auto const& chosen, std::uint32_t failed) { return chosen.permits_another(failed); });
  }
  /// As if no failure was of a kind that is named.
  [[nodiscard]] constexpr bool permits_another(std::uint32_t made) const {
    return rules_.fallback().permits_another(made);
  }

  [[nodiscard]] std::string describe() const { return detail::describe_rules("per_kind_attempts(", rules_); }

  static constexpr bool is_sound =
      detail::every_rule_has_a_limit<Rules...>::value && detail::no_kind_is_limited_twice<Rules...>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::every_rule_has_a_limit<Rules...>::value) {
      static_assert(detail::every_rule_has_a_limit<Rules...>::value,
                    "anew::per_kind_attempts<for_kind<Kind, MaxAttempts>..., Default> requires a MaxAttempts in every "
                    "rule, and a plain MaxAttempts as its last argument: the default for all other kinds. Add the "
                    "default, or correct the rule");
    } else {
      static_assert(detail::no_kind_is_limited_twice<Rules...>::value,
                    "anew::per_kind_attempts<for_kind<Kind, MaxAttempts>..., Default> requires each kind at most once; "
                    "a kind is named twice. Remove one of its rules");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS rules_type rules_;
};

template <class... Rules>
per_kind_attempts(Rules...) -> per_kind_attempts<Rules...>;

}  // namespace anew::inline ANEW_ABI

#endif
