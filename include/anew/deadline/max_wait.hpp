// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DEADLINE_MAX_WAIT_HPP
#define ANEW_DEADLINE_MAX_WAIT_HPP

#include <chrono>
#include <optional>
#include <string>

#include "anew/concept/internal/catalogue.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/internal/parameter.hpp"
#include "anew/value/internal/text.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <static_duration Total>
struct max_wait_is_above_zero {
  static constexpr bool value = Total == run_time || Total.nanoseconds > 0;
};

template <static_duration Total, static_duration Margin>
struct margin_is_within_max_wait {
  static constexpr bool value =
      (Total == run_time) == (Margin == run_time) &&
      (Total == run_time || (Margin.nanoseconds >= 0 && Margin.nanoseconds <= Total.nanoseconds));
};

}  // namespace detail

/// Polling goes on for `Total`, and the last look is at its very end: a wait that would leave `Margin` or less behind
/// it lasts until the end instead, because a look between the two would find nothing new.
///
/// So the last wait may be longer than the backoff's cap, by at most `Margin`. `max_wait<300s, 2s>` is an empty type;
/// `max_wait{total, margin}` takes values known at run time and throws `std::invalid_argument` where the requirements
/// fail.
///
/// Models: Deadline
/// Formula: delay, or remaining where remaining - delay <= Margin
/// Requires: Total > 0, 0 <= Margin <= Total
/// Cost: 8 bytes in the token; the clock is read at the start of the call and after each failure
/// Choose it for poll(), with the shortest delay between two looks as Margin. Not for a call that must be over by then,
/// the last attempt included: deadline; `deadline<Total, at_deadline::clamp, Margin>` makes the last wait end Margin
/// before the end.
/// Source: Smithy "Waiters" specification, "Waiter retries": the delay becomes the remaining time where no more than
/// minDelay would remain. smithy-go and smithy-swift keep minDelay for the last request instead.
template <static_duration Total, static_duration Margin /*= duration::zero()*/>
class max_wait {
 public:
  using role = roles::deadline;

  constexpr max_wait() noexcept
    requires(Total != run_time && Margin != run_time)
  = default;

  template <class Rep, class Period>
    requires(Total == run_time && Margin == run_time)
  constexpr explicit max_wait(std::chrono::duration<Rep, Period> total, duration margin = duration::zero())
      : total_{detail::saturate(total)}, margin_{margin} {
    if (total_.get() <= duration::zero()) {
      detail::invalid_argument("max_wait", "total must be above zero", detail::to_text(total_.get()));
    }
    if (margin < duration::zero() || margin > total_.get()) {
      detail::invalid_argument("max_wait", "margin must be at least zero and at most total", detail::to_text(margin));
    }
  }

  [[nodiscard]] constexpr duration total() const noexcept { return total_.get(); }

  /// The delay to wait when `remaining` is left; nothing when the time is over.
  [[nodiscard]] constexpr std::optional<duration> fit(duration delay, duration remaining) const noexcept {
    if (remaining <= duration::zero()) return std::nullopt;
    return detail::saturating_subtract(remaining, delay) <= margin_.get() ? remaining : delay;
  }

  [[nodiscard]] std::string describe() const {
    std::string text{"max_wait("};
    text.append(detail::to_text(total()));
    if (margin_.get() > duration::zero()) text.append(",").append(detail::to_text(margin_.get()));
    return text.append(")");
  }

  static constexpr bool is_sound =
      detail::max_wait_is_above_zero<Total>::value && detail::margin_is_within_max_wait<Total, Margin>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::max_wait_is_above_zero<Total>::value) {
      static_assert(detail::max_wait_is_above_zero<Total>::value,
                    "anew::max_wait<Total> requires Total > 0; every wait would be over at once. Omit the policy to "
                    "wait without a limit");
    } else {
      static_assert(
          detail::margin_is_within_max_wait<Total, Margin>::value,
          "anew::max_wait<Total, Margin> requires 0 <= Margin <= Total; Margin is out of range. Did you swap them?");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Total, max_wait> total_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Margin, max_wait, 1> margin_;
};

template <class Rep, class Period>
max_wait(std::chrono::duration<Rep, Period>, duration = duration::zero()) -> max_wait<run_time, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
