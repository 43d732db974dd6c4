// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_HINT_CLAMPED_HPP
#define ANEW_POLICIES_HINT_CLAMPED_HPP

#include <chrono>
#include <optional>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Obeys the server's delay within a window: never less than the computed delay, and at most `Overshoot` more.
///
/// The window begins at the delay of this retry, after jitter, and is not jittered again. It may end above the
/// backoff's cap, by `Overshoot` at most: with a cap of 20 s and `clamped_hint<5s>` no wait is longer than 25 s. A
/// server that asks for hours ends no call and delays none for hours. `clamped_hint{5s}` takes a value known at run
/// time. A negative delay counts as no hint.
///
/// Models: Hint      Cost: two compares when there is a hint
/// Formula: min(max(delay, asked), delay + Overshoot)
/// Requires: Overshoot >= 0
/// Choose it for servers whose hints are advice for the next seconds. Not where coming sooner than asked is answered
/// with a longer ban: server_hint, which ends the call instead.
/// Source: AWS SDKs since 2026: x-amz-retry-after, clamped to [t, t + 5 s]
template <static_duration Overshoot = std::chrono::seconds{5}>
class clamped_hint {
 public:
  using role = roles::hint;

  constexpr clamped_hint() noexcept = default;

  constexpr explicit clamped_hint(detail::any_duration overshoot)
    requires(Overshoot == run_time)
      : overshoot_{detail::checked(overshoot, fault_of(overshoot))} {}
  static constexpr detail::value_fault fault_of(duration overshoot) {
    return detail::value_fault{"clamped_hint"}.not_negative(overshoot, "overshoot");
  }

  [[nodiscard]] constexpr std::optional<planned_delay> resolve(duration computed, duration asked,
                                                               duration /*cap*/) const noexcept {
    if (asked <= computed) return planned_delay{computed, delay_origin::backoff};
    auto const longest = detail::saturating_add(computed, overshoot_.get());
    if (asked <= longest) return planned_delay{asked, delay_origin::hint};
    return planned_delay{longest, delay_origin::cap};
  }

  /// The largest excess of a wait over the computed delay, and so over the cap.
  [[nodiscard]] constexpr duration overshoot() const noexcept { return overshoot_.get(); }

  [[nodiscard]] constexpr auto run_time_form() const {
    return detail::run_time_form_as<clamped_hint<run_time>>(*this, overshoot());
  }
  [[nodiscard]] std::string describe() const { return detail::written("clamped_hint", overshoot_.get()); }

  static constexpr bool is_sound = detail::is_not_negative<Overshoot>;
  static consteval void explain() {
    static_assert(detail::is_not_negative<Overshoot>,
                  "anew::clamped_hint<Overshoot> requires Overshoot >= 0; with a negative value a hint would shorten "
                  "the delay. Use 0s to ignore hints");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Overshoot, clamped_hint> overshoot_;
};

clamped_hint(detail::any_duration) -> clamped_hint<run_time>;

/// Waits exactly as long as the server asked instead of the computed delay, shorter or longer; never longer than
/// `Longest`.
///
/// A server that asks for more ends the call with `stop_reason::hint_too_long`. A negative delay is gRPC's "do not retry"
/// and ends the call with `stop_reason::not_retryable`. `pushback_hint<10s>` is an empty type;
/// `pushback_hint{longest}` takes a value known at run time and throws `std::invalid_argument` when it is negative.
/// Unlike every other Hint it lets a server call its clients back sooner than they planned.
///
/// Models: Hint (may shorten the wait)      Cost: one compare when there is a hint
/// Formula: asked, if asked <= Longest
/// Requires: Longest >= 0
/// Choose it where the server is known to mean the delay itself, as gRPC's pushback does. Not for Retry-After, which is
/// a least wait: server_hint.
/// Source: gRPC proposal A6, "Pushback"; the bound: none, A6 leaves it to the deadline of the call.
template <static_duration Longest = std::chrono::minutes{1}>
class pushback_hint {
 public:
  using role = roles::hint;
  static constexpr bool obeys_refusals = true;

  constexpr pushback_hint() noexcept = default;

  constexpr explicit pushback_hint(detail::any_duration longest)
    requires(Longest == run_time)
      : longest_{detail::checked(longest, fault_of(longest))} {}
  static constexpr detail::value_fault fault_of(duration longest) {
    return detail::value_fault{"pushback_hint"}.not_negative(longest, "longest");
  }

  [[nodiscard]] constexpr std::optional<planned_delay> resolve(duration /*computed*/, duration asked,
                                                               duration /*cap*/) const noexcept {
    if (asked > longest_.get()) return std::nullopt;
    return planned_delay{asked, delay_origin::hint};
  }

  /// The longest delay that a server may ask for.
  [[nodiscard]] constexpr duration longest() const noexcept { return longest_.get(); }

  [[nodiscard]] constexpr auto run_time_form() const {
    return detail::run_time_form_as<pushback_hint<run_time>>(*this, longest());
  }
  [[nodiscard]] std::string describe() const { return detail::written("pushback_hint", longest_.get()); }

  static constexpr bool is_sound = detail::is_not_negative<Longest>;
  static consteval void explain() {
    static_assert(detail::is_not_negative<Longest>,
                  "anew::pushback_hint<Longest> requires Longest >= 0; Longest is negative. Omit it for the default of "
                  "one minute");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Longest, pushback_hint> longest_;
};

pushback_hint(detail::any_duration) -> pushback_hint<run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
