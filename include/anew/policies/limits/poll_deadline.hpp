// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_LIMITS_POLL_DEADLINE_HPP
#define ANEW_POLICIES_LIMITS_POLL_DEADLINE_HPP

#include <optional>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Polling continues for `Total`, and the last look is at its very end: a wait that would leave `Margin` or less behind
/// it lasts until the end instead, because a look between the two would find nothing new.
///
/// So the last wait may be longer than the backoff's cap, by at most `Margin`. `poll_deadline<300s, 2s>` is an empty type;
/// `poll_deadline{total, margin}` takes values known at run time and throws `std::invalid_argument` where the requirements
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
class poll_deadline {
 public:
  using role = roles::deadline;

  constexpr poll_deadline() noexcept = default;

  constexpr explicit poll_deadline(detail::any_duration total, duration margin = duration::zero())
    requires(Total == run_time && Margin == run_time)
      : total_{detail::checked(total, fault_of(total, margin))}, margin_{margin} {}
  static constexpr detail::value_fault fault_of(duration total, duration margin) {
    return detail::value_fault{"poll_deadline"}
        .above_zero(total, "total")
        .unless(margin >= duration::zero() && margin <= total, "margin must be at least zero and at most total",
                margin);
  }

  [[nodiscard]] constexpr duration total() const noexcept { return total_.get(); }
  [[nodiscard]] constexpr duration margin() const noexcept { return margin_.get(); }

  /// The delay to wait when `remaining` is left; nothing when the time is over.
  [[nodiscard]] constexpr std::optional<duration> fit(duration delay, duration remaining) const noexcept {
    if (remaining <= duration::zero()) return std::nullopt;
    return detail::saturating_subtract(remaining, delay) <= margin_.get() ? remaining : delay;
  }

  [[nodiscard]] constexpr auto run_time_form() const {
    return detail::run_time_form_as<poll_deadline<run_time, run_time>>(*this, total(), margin_.get());
  }
  [[nodiscard]] std::string describe() const {
    return detail::written("poll_deadline", total(), detail::text_if(margin_.get() > duration::zero(), margin_.get()));
  }

  static constexpr detail::kept_rules is_sound{Total != run_time || Margin != run_time,
                                               fault_of(Total.value(), Margin.value())};
  static consteval void explain() {
    static_assert(detail::keeps_rule<poll_deadline, 1>,
                  "anew::poll_deadline<Total> requires Total > 0; every wait would be over at once. Omit the policy to "
                  "wait without a limit");
    static_assert(detail::keeps_rule<poll_deadline, 2>,
                  "anew::poll_deadline<Total, Margin> requires 0 <= Margin <= Total; Margin is out of range. Did you "
                  "swap them?");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Total, poll_deadline> total_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Margin, poll_deadline, 1> margin_;
};

poll_deadline(detail::any_duration, duration = duration::zero()) -> poll_deadline<run_time, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
