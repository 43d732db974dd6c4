// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HEDGE_INTERNAL_ROUNDS_HPP
#define ANEW_HEDGE_INTERNAL_ROUNDS_HPP

#include <cstdint>
#include <type_traits>

#include "anew/drive/internal/decide.hpp"
#include "anew/hedge/hedging.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The attempt whose time a hedging learns from, if any.
struct watched_attempt {
  std::uint32_t number = 0;
  time_point began{};
};
struct watches_nothing {};

/// Whether and when the next hedge is sent. A *round* is an attempt that is sent alone and the hedges beside it.
template <class S, class H>
class rounds {
 public:
  explicit rounds(H const& hedges) noexcept : hedging_{&hedges} {}

  void begin([[maybe_unused]] S const& strategy, [[maybe_unused]] std::uint32_t number) {
    left_ = smaller(hedging_->max_extra(), static_cast<std::uint32_t>(H::most_extra));
    if constexpr (Learns<H>) watched_ = {number, now_of(strategy)};
  }
  [[nodiscard]] bool has_hedges() const noexcept { return left_ != 0; }
  [[nodiscard]] duration delay() const { return larger(duration::zero(), hedging_->delay()); }

  /// When the timer fired. Zero: the hedge is due. The delay may have grown since the timer was set; an eighth is let
  /// pass, or many calls would set timers often.
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

  void take_hedge() noexcept { --left_; }
  void give_back_hedge() noexcept { ++left_; }
  void drop_hedges() noexcept { left_ = 0; }
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
  std::uint32_t left_ = 0;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
