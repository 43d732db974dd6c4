// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_INTERNAL_CHOICE_OF_DELAY_HPP
#define ANEW_RUN_TIME_INTERNAL_CHOICE_OF_DELAY_HPP

#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include "anew/base/asked_delay.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/roles.hpp"
#include "anew/run_time/internal/choice_base.hpp"
#include "anew/strategy/internal/draw.hpp"

/// Choices among policies that compute a delay.
namespace anew::inline ANEW_ABI {

namespace detail {

template <class B>
concept CountsByKind = DelaysByKind<B> && !CountsNothingByKind<B>;

/// The chosen jitter's state of a call: empty before its first draw.
template <class... Ps>
struct chosen_state {};
template <class... Ps>
  requires(AppliesWithState<Ps> || ...)
struct chosen_state<Ps...> {
  template <class States>
  struct variant_of;
  template <class... States>
  struct variant_of<type_list<States...>> {
    using type = std::variant<no_state, States...>;
  };
  using state_type =
      typename variant_of<typename unique_types<no_state, type_list<>, typename jitter_state<Ps>::type...>::type>::type;
};

}  // namespace detail

template <class... Ps>
class choice<roles::backoff, Ps...> : public detail::choice_base<roles::backoff, Ps...> {
 public:
  using detail::choice_base<roles::backoff, Ps...>::choice_base;
  static constexpr bool needs_counts = (detail::CountsByKind<Ps> || ...);

  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const {
    return this->visit([retry](auto const& chosen) { return chosen.delay(retry); });
  }
  [[nodiscard]] constexpr duration delay(call_progress const& progress) const
    requires(detail::DelaysByKind<Ps> || ...)
  {
    return this->visit([&](auto const& chosen) { return detail::backoff_delay(chosen, progress.attempts, progress); });
  }
  [[nodiscard]] constexpr duration cap() const {
    return this->visit([](auto const& chosen) { return detail::cap_of(chosen); });
  }
};

template <class... Ps>
class choice<roles::jitter, Ps...> : public detail::choice_base<roles::jitter, Ps...>,
                                     public detail::chosen_state<Ps...> {
 public:
  using detail::choice_base<roles::jitter, Ps...>::choice_base;

  [[nodiscard]] constexpr duration apply(duration ceiling, RandomSource auto& random) const
    requires(!(detail::AppliesWithState<Ps> || ...))
  {
    return this->visit([&](auto const& chosen) { return chosen.apply(ceiling, random); });
  }
  template <RandomSource R, class Own = detail::chosen_state<Ps...>>
  [[nodiscard]] constexpr duration apply(delay_bounds const& bounds, typename Own::state_type& state, R& random) const {
    return this->visit([&]<class J>(J const& jitter) {
      if constexpr (detail::AppliesWithState<J>) {
        using remembered = typename J::state_type;
        if (!std::holds_alternative<remembered>(state)) state.template emplace<remembered>();
        return jitter.apply(bounds, *std::get_if<remembered>(&state), random);
      } else {
        return jitter.apply(bounds.ceiling, random);
      }
    });
  }
};

template <class... Ps>
class choice<roles::hint, Ps...> : public detail::choice_base<roles::hint, Ps...> {
 public:
  using detail::choice_base<roles::hint, Ps...>::choice_base;
  static constexpr bool obeys_refusals = (detail::ObeysRefusals<Ps> || ...);

  [[nodiscard]] constexpr bool obeys_refusals_now() const {
    return this->visit([]<class H>(H const& /*hint*/) { return detail::ObeysRefusals<H>; });
  }
  [[nodiscard]] constexpr std::optional<planned_delay> resolve(duration computed, duration asked, duration cap) const
    requires(!(detail::ResolvesHintsByDrawing<Ps> || ...))
  {
    return this->visit([&](auto const& chosen) { return chosen.resolve(computed, asked, cap); });
  }
  [[nodiscard]] constexpr std::optional<planned_delay> resolve(duration computed, duration asked, duration cap,
                                                               RandomSource auto& random) const
    requires(detail::ResolvesHintsByDrawing<Ps> || ...)
  {
    return this->visit([&](auto const& chosen) { return detail::resolve(chosen, computed, asked, cap, random); });
  }
  [[nodiscard]] constexpr planned_delay not_understood(duration computed, duration cap) const
    requires(detail::PlansForUnread<Ps> || ...)
  {
    return this->visit([&]<class H>(H const& hint) {
      if constexpr (detail::PlansForUnread<H>) return hint.not_understood(computed, cap);
      return planned_delay{computed, delay_origin::backoff};
    });
  }
  [[nodiscard]] constexpr duration longest() const
    requires(detail::NamesItsLongest<Ps> || ...)
  {
    return this->visit([]<class H>(H const& hint) {
      if constexpr (detail::NamesItsLongest<H>) return hint.longest();
      return duration::max();
    });
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
