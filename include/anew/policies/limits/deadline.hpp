// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_LIMITS_DEADLINE_HPP
#define ANEW_POLICIES_LIMITS_DEADLINE_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The treatment of a delay that would exceed the deadline.
enum class at_deadline : std::uint8_t {
  stop,      ///< the call ends now: no time is lost in a wait that cannot help
  clamp,     ///< the delay is shortened, so that the attempt still has the reserve; below that, the call ends
  last_try,  ///< the delay is shortened, and one last attempt begins at the deadline itself
};

/// One call, its attempts and sleeps together, ends within `Total` from its start; no sleep passes it.
///
/// An attempt in flight is not interrupted: it is told (`attempt::remaining()`, `attempt::limit()`) how long it may take.
/// `Reserve` is the time that an attempt needs to be of any use: none begins with less (but for `last_try`).
/// `deadline<10s>` is an empty type; `deadline{total}` and `deadline{total, at_deadline::clamp, reserve}` take values
/// known at run time and throw `std::invalid_argument` where the requirements fail.
///
/// Models: Deadline
/// Formula: stop: delay, if that is below remaining - Reserve; clamp: min(delay, remaining - Reserve), if that is left;
/// last_try: min(delay, remaining)
/// Requires: Total > 0, 0 <= Reserve < Total; `clamp` a Reserve above zero
/// Cost: 8 bytes in the token; the clock is read at the start of the call and after each failure and sleep
/// Choose it whenever a user waits for the call. The attempts are limited too: compose max_attempts or unbounded.
/// Source: none
template <static_duration Total, at_deadline Then = at_deadline::stop, static_duration Reserve = duration::zero()>
class deadline {
 public:
  using role = roles::deadline;

  constexpr deadline() noexcept = default;

  constexpr explicit deadline(detail::any_duration total, at_deadline then = at_deadline::stop,
                              duration reserve = duration::zero())
    requires(Total == run_time && Reserve == run_time)
      : total_{detail::checked(total, fault_of(total, then, reserve))}, reserve_{reserve}, then_{then} {}
  static constexpr detail::value_fault fault_of(duration total, at_deadline then, duration reserve) {
    return detail::value_fault{"deadline"}
        .above_zero(total, "total")
        .unless(reserve >= duration::zero() && reserve < total, "reserve must be at least zero and below total",
                reserve)
        .unless(then != at_deadline::clamp || reserve != duration::zero(),
                "reserve must be above zero with at_deadline::clamp", reserve);
  }

  [[nodiscard]] constexpr duration total() const noexcept { return total_.get(); }

  /// The delay to wait when `remaining` is left; nothing when no further attempt may begin.
  [[nodiscard]] constexpr std::optional<duration> fit(duration delay, duration remaining) const noexcept {
    if (remaining <= duration::zero()) return std::nullopt;
    if (then_.get() == at_deadline::last_try) return detail::smaller(delay, remaining);
    auto const room = detail::saturating_subtract(remaining, reserve_.get());
    if (delay < room) return delay;
    if (then_.get() == at_deadline::clamp && room > duration::zero()) return room;
    return std::nullopt;
  }

  [[nodiscard]] constexpr auto run_time_form() const {
    return detail::run_time_form_as<deadline<run_time, at_deadline::stop, run_time>>(*this, total(), then_.get(),
                                                                                     reserve_.get());
  }
  [[nodiscard]] std::string describe() const {
    return detail::written("deadline", total(), detail::name_in({"", "clamp", "last_try"}, then_.get()),
                           detail::text_if(reserve_.get() > duration::zero(), reserve_.get()));
  }

  static constexpr detail::kept_rules is_sound{Total != run_time || Reserve != run_time,
                                               fault_of(Total.value(), Then, Reserve.value())};
  static consteval void explain() {
    static_assert(detail::keeps_rule<deadline, 1>,
                  "anew::deadline<Total> requires Total > 0; every call would be over at once. Omit the policy for a "
                  "call without a deadline");
    static_assert(detail::keeps_rule<deadline, 2>,
                  "anew::deadline<Total, Then, Reserve> requires 0 <= Reserve < Total; Reserve leaves no time for a "
                  "retry. Reduce it");
    static_assert(detail::keeps_rule<deadline, 3>,
                  "anew::deadline<Total, at_deadline::clamp, Reserve> requires Reserve > 0; the last attempt would "
                  "have no time left. Name the time that it needs, or use at_deadline::last_try");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Total, deadline> total_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Reserve, deadline, 1> reserve_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Then, deadline, 2, Total != run_time> then_;
};

deadline(detail::any_duration, at_deadline = at_deadline::stop, duration = duration::zero())
    -> deadline<run_time, at_deadline::stop, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
