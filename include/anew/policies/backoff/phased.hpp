// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_PHASED_HPP
#define ANEW_POLICIES_BACKOFF_PHASED_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/backoff/internal/explain_inner.hpp"
#include "anew/roles/internal/several.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class P>
inline constexpr bool is_phase = false;
template <std::int64_t N, class B>
inline constexpr bool is_phase<for_first<N, B>> = true;

/// True if all arguments but the last are phases, and the last is not a phase.
template <class... Phases>
inline constexpr bool phases_lead_to_a_backoff = false;
template <class Last>
inline constexpr bool phases_lead_to_a_backoff<Last> = !is_phase<Last>;
template <class First, class... Rest>
  requires(sizeof...(Rest) > 0)
inline constexpr bool phases_lead_to_a_backoff<First, Rest...> = is_phase<First> && phases_lead_to_a_backoff<Rest...>;

template <class P>
inline constexpr bool is_sound_phase = is_sound_backoff<P>;
template <std::int64_t N, class B>
inline constexpr bool is_sound_phase<for_first<N, B>> = is_within<N, 1> && is_sound_backoff<B>;

template <class P>
struct explained_phase {
  using policy = P;
  static consteval bool explain() { return true; }
};
template <std::int64_t N, class B>
struct explained_phase<for_first<N, B>> {
  using policy = B;
  static consteval bool explain() {
    static_assert(is_within<N, 1>,
                  "anew::for_first<N, B> requires 1 <= N <= 4294967295; a phase of 0 retries never runs, and a longer "
                  "one never ends. Remove this phase, or the phases after it");
    return is_within<N, 1>;
  }
};

}  // namespace detail

/// One backoff for the first retries, then another, whose own count begins at 1.
///
/// `phased_backoff<for_first<3, constant_backoff<10ms>>, exponential_backoff<100ms, 20s>>`, with any number of phases;
/// `phased_backoff{for_first{n, constant_backoff{d}}, exponential_backoff{base, cap}}` takes policies with values.
///
/// Models: Backoff (pure)      Cost: a comparison and a subtraction for every phase that is over, and the policy's
/// Formula: A.delay(n) for n <= N, then B.delay(n - N); the cap is the longest of the caps
/// Requires: for_first<N, B> for every phase but the last, which is a Backoff without an end
/// Choose it for a few quick retries before the patient ones. Not to turn jitter off for them: a jitter is composed for
/// all of the retries.
/// Source: none
template <class... Phases>
class phased_backoff {
  static constexpr bool is_well_formed = detail::phases_lead_to_a_backoff<Phases...>;

 public:
  using role = roles::backoff;

  phased_backoff() = default;
  constexpr explicit phased_backoff(Phases... phases)
    requires(sizeof...(Phases) > 0)
      : phases_{std::move(phases)...} {}

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const {
    duration found{};
    phases_.until([&](auto const& phase) {
      if constexpr (detail::is_phase<std::remove_cvref_t<decltype(phase)>>) {
        if (retry > phase.retries()) {
          retry -= phase.retries();
          return false;
        }
        found = phase.policy().delay(retry);
      } else {
        found = phase.delay(retry);
      }
      return true;
    });
    return found;
  }
  [[nodiscard]] constexpr duration cap() const {
    duration most{};
    phases_.each([&most]<class P>(P const& phase) {
      if constexpr (detail::is_phase<P>) {
        most = detail::larger(most, detail::cap_of(phase.policy()));
      } else {
        most = detail::larger(most, detail::cap_of(phase));
      }
    });
    return most;
  }
  [[nodiscard]] std::string describe() const
    requires(detail::DescribesItself<Phases> && ...)
  {
    return phases_.describe("phased", "");
  }

  static constexpr bool is_sound = is_well_formed && (detail::is_sound_phase<Phases> && ...);
  static consteval void explain() {
    if constexpr (!is_well_formed) {
      static_assert(detail::phases_lead_to_a_backoff<Phases...>,
                    "anew::phased_backoff<Phases...> requires anew::for_first<N, B> for every phase except the last, "
                    "which is a plain Backoff for all further retries; a phase is out of order or missing. End the "
                    "list with a plain Backoff");
    } else {
      static_cast<void>((... && (detail::explained_phase<Phases>::explain() &&
                                 detail::explain_inner_backoff<typename detail::explained_phase<Phases>::policy>())));
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::several<Phases...> phases_;
};

}  // namespace anew::inline ANEW_ABI

#endif
