// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_HEDGE_INTERNAL_ROUNDS_HPP
#define ANEW_DRIVERS_HEDGE_INTERNAL_ROUNDS_HPP

#include <cstdint>
#include <optional>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/strategy/basic_strategy.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The waits that servers asked for while attempts of the call are under way: they bind every attempt that begins later,
/// whichever failure leads to it.
struct heard_hints {
  time_point not_before = time_point::min();
  bool too_long = false;  ///< one of them asked for more than the hint policy permits

  /// `delay` and `origin` are what the hint policy made of it.
  constexpr void add(duration asked, duration delay, delay_origin origin, time_point now) noexcept {
    if (origin == delay_origin::backoff && asked > delay) return;  // the policy ignores it
    not_before = larger(not_before, saturating_add(now, smaller(asked, delay)));
  }
};

/// Another attempt of a call whose other attempts may be under way. `is_at_once`: without backoff, and so without a delay
/// but that of an earlier hint.
template <class S>
struct beside_others {
  S const& strategy;
  heard_hints const& heard;
  bool is_at_once;

  /// False: a server asked for more than the hint policy permits.
  [[nodiscard]] constexpr bool heed(asked_delay& asked, duration& delay, delay_origin& origin) const {
    if (heard.too_long) return false;
    if (is_at_once) asked = std::nullopt;
    if (heard.not_before == time_point::min()) return true;
    auto const least = saturating_subtract(heard.not_before, strategy.now());
    asked = larger(least, asked && *asked <= delay ? *asked : least);
    if (least > delay) {
      delay = least;
      origin = delay_origin::hint;
    }
    return true;
  }
};

/// The attempt whose time a hedging learns from, if any.
struct watched_attempt {
  std::uint32_t number = 0;
  time_point began{};
};
struct watches_nothing {};

/// Whether and when the next hedge is sent. A *round* is an attempt that is sent alone, with its hedges.
template <class S, class H>
class rounds {
 public:
  std::uint32_t left = 0;  ///< hedges that this round may still send

  explicit rounds(H const& hedges) noexcept : hedging_{&hedges} {}

  void begin([[maybe_unused]] S const& strategy, [[maybe_unused]] std::uint32_t number) {
    left = smaller(hedging_->max_extra(), static_cast<std::uint32_t>(H::most_extra));
    if constexpr (Learns<H>) watched_ = {number, now_of(strategy)};
  }
  [[nodiscard]] duration delay() const { return larger(duration::zero(), hedging_->delay()); }

  /// When the timer fired. Zero: the hedge is due. The delay may have grown since the timer was set; growth below
  /// an eighth is ignored, so that timers are not set again and again.
  [[nodiscard]] duration until_due([[maybe_unused]] S const& strategy) {
    if constexpr (Learns<H>) {
      if (watched_.number != 0) {
        auto const elapsed = saturating_subtract(now_of(strategy), watched_.began);
        auto const delay = hedging_->delay();
        if (delay > saturating_add(elapsed, elapsed / 8)) return saturating_subtract(delay, elapsed);
        watched_.number = 0;
        hedging_->on_late();
      }
    }
    return duration::zero();
  }

  [[nodiscard]] bool ends_when_pushed_back() const noexcept { return hedging_->pushback() == when_pushed_back::stop; }

  void succeeded([[maybe_unused]] S const& strategy, [[maybe_unused]] std::uint32_t number) {
    if constexpr (Learns<H>) {
      if (watched_.number == number) hedging_->on_answer(saturating_subtract(now_of(strategy), watched_.began));
    }
  }
  void failed([[maybe_unused]] std::uint32_t number) noexcept {
    if constexpr (Learns<H>) {
      if (watched_.number == number) watched_.number = 0;
    }
  }

 private:
  H const* hedging_;
  ANEW_NO_UNIQUE_ADDRESS std::conditional_t<Learns<H>, watched_attempt, watches_nothing> watched_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
