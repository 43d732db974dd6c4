// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_PER_KIND_HPP
#define ANEW_BACKOFF_PER_KIND_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/concept/backoff.hpp"
#include "anew/concept/for_kind.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class... Rules>
struct every_rule_has_a_backoff {
  static constexpr bool value = false;
};
template <error_kind Kind, class B, class Next, class... Rules>
struct every_rule_has_a_backoff<for_kind<Kind, B>, Next, Rules...> {
  static constexpr bool value = Backoff<B> && every_rule_has_a_backoff<Next, Rules...>::value;
};
template <class Default>
struct every_rule_has_a_backoff<Default> {
  static constexpr bool value = Backoff<Default>;
};

template <class... Rules>
struct no_kind_waits_twice {
  static constexpr bool value = !kind_rules<Rules...>::names_twice;
};

}  // namespace detail

/// A backoff for each kind of error that is named, and the last one for all others:
/// `per_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>, exponential_backoff<50ms, 20s>>`.
///
/// Each of them counts for itself: what is waited after the second throttling of a call is its backoff's delay before
/// retry 2, however many other errors came between. All kinds that are not named share the last one's count.
/// `per_kind_backoff{on_kind<error_kind::throttling>(exponential_backoff{1s, 20s}), constant_backoff{50ms}}` takes
/// values known at run time.
///
/// Models: Backoff (by kind)      Formula: delay = B(kind)(failures of the kinds that belong to B); cap = the largest
/// cap
/// Requires: Backoffs, the one for all others last; no kind twice
/// Cost: 20 bytes in the token, to count by
/// Choose it where a service that asks for patience needs a longer wait than a connection that broke. Not where the
/// server says how long: a hint does that by itself.
/// Source: AWS Step Functions retriers, each with its own counter.
template <class... Rules>
class per_kind_backoff {
  using rules_type = detail::kind_rules<Rules...>;

 public:
  using role = roles::backoff;

  constexpr per_kind_backoff() = default;
  template <class... Given>
    requires(sizeof...(Given) == sizeof...(Rules) && (std::is_constructible_v<Rules, Given> && ...))
  constexpr explicit per_kind_backoff(Given&&... rules) : rules_{std::forward<Given>(rules)...} {}

  [[nodiscard]] constexpr duration delay(call_progress const& progress) const {
    return rules_.ask(progress.kind, progress.counts.of(progress.kind),
                      detail::count_of_others<rules_type>(progress.counts),
                      [](auto const& chosen, std::uint32_t failed) { return chosen.delay(failed); });
  }
  /// As if no failure was of a kind that is named.
  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const { return rules_.fallback().delay(retry); }

  [[nodiscard]] constexpr duration cap() const noexcept {
    auto most = duration::zero();
    rules_.each([&most](auto const& rule) { most = detail::larger(most, detail::cap_of(rule)); });
    return most;
  }

  [[nodiscard]] std::string describe() const { return detail::describe_rules("per_kind(", rules_); }

  static constexpr bool is_sound =
      detail::every_rule_has_a_backoff<Rules...>::value && detail::no_kind_waits_twice<Rules...>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::every_rule_has_a_backoff<Rules...>::value) {
      static_assert(
          detail::every_rule_has_a_backoff<Rules...>::value,
          "anew::per_kind_backoff<for_kind<Kind, Backoff>..., Default> requires a Backoff in every rule, and a plain "
          "Backoff as its last argument: the default for all other kinds. Add the default, or correct the rule");
    } else {
      static_assert(detail::no_kind_waits_twice<Rules...>::value,
                    "anew::per_kind_backoff<for_kind<Kind, Backoff>..., Default> requires each kind at most once; a "
                    "kind is named twice. Remove one of its rules");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS rules_type rules_;
};

template <class... Rules>
per_kind_backoff(Rules...) -> per_kind_backoff<Rules...>;

}  // namespace anew::inline ANEW_ABI

#endif
