// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_BY_KIND_HPP
#define ANEW_BACKOFF_BY_KIND_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/backoff/per_kind.hpp"
#include "anew/concept/backoff.hpp"
#include "anew/concept/for_kind.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"

namespace anew::inline ANEW_ABI {

/// A backoff for each kind of error that is named, and the last one for all others, with one count for all of them:
/// `by_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>, exponential_backoff<50ms, 20s>>`.
///
/// The kind of the last failure chooses the backoff, and the number of the retry is that of the call: a throttling that
/// follows two broken connections waits what its backoff says before retry 3, 4 s here.
/// `by_kind_backoff{on_kind<error_kind::throttling>(exponential_backoff{1s, 20s}), constant_backoff{50ms}}` takes
/// values known at run time.
///
/// Models: Backoff (by kind)
/// Formula: delay = B(kind of the last failure)(failures of the call); cap = the largest cap
/// Requires: Backoffs, the one for all others last; no kind twice
/// Cost: that of the backoff that is asked; nothing in the token
/// Choose it where the base of the wait depends on the error and the growth on how long the call has been failing. Not
/// where each kind of error grows by itself: per_kind_backoff.
/// Source: AWS SDKs since 2026: base 50 ms, after throttling 1 s, the exponent counts all retries of the call
template <class... Rules>
class by_kind_backoff {
  using rules_type = detail::kind_rules<Rules...>;

 public:
  using role = roles::backoff;
  static constexpr bool needs_counts = false;

  constexpr by_kind_backoff() = default;
  template <class... Given>
    requires(sizeof...(Given) == sizeof...(Rules) && (std::is_constructible_v<Rules, Given> && ...))
  constexpr explicit by_kind_backoff(Given&&... rules) : rules_{std::forward<Given>(rules)...} {}

  [[nodiscard]] constexpr duration delay(call_progress const& progress) const {
    return rules_.ask(progress.kind, progress.attempts, progress.attempts,
                      [](auto const& chosen, std::uint32_t retry) { return chosen.delay(retry); });
  }
  /// As if no failure was of a kind that is named.
  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const { return rules_.fallback().delay(retry); }

  [[nodiscard]] constexpr duration cap() const noexcept {
    auto most = duration::zero();
    rules_.each([&most](auto const& rule) { most = detail::larger(most, detail::cap_of(rule)); });
    return most;
  }

  [[nodiscard]] std::string describe() const { return detail::describe_rules("by_kind(", rules_); }

  static constexpr bool is_sound =
      detail::every_rule_has_a_backoff<Rules...>::value && detail::no_kind_waits_twice<Rules...>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::every_rule_has_a_backoff<Rules...>::value) {
      static_assert(
          detail::every_rule_has_a_backoff<Rules...>::value,
          "anew::by_kind_backoff<for_kind<Kind, Backoff>..., Default> requires a Backoff in every rule, and a plain "
          "Backoff as its last argument: the default for all other kinds. Add the default, or correct the rule");
    } else {
      static_assert(detail::no_kind_waits_twice<Rules...>::value,
                    "anew::by_kind_backoff<for_kind<Kind, Backoff>..., Default> requires each kind at most once; a "
                    "kind is named twice. Remove one of its rules");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS rules_type rules_;
};

template <class... Rules>
by_kind_backoff(Rules...) -> by_kind_backoff<Rules...>;

}  // namespace anew::inline ANEW_ABI

#endif
