// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GATE_CIRCUIT_BREAKER_HPP
#define ANEW_GATE_CIRCUIT_BREAKER_HPP

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "anew/concept/gate.hpp"
#include "anew/concept/internal/catalogue.hpp"
#include "anew/concept/roles.hpp"
#include "anew/gate/breaker_state.hpp"
#include "anew/gate/internal/breaker_word.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/value/internal/parameter.hpp"
#include "anew/value/internal/text.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <std::int64_t Failures, std::int64_t Probes>
struct breaker_counts_are_in_range {
  static constexpr bool value =
      (Failures == run_time_count || (Failures >= 1 && std::in_range<std::uint32_t>(Failures))) &&
      (Probes == run_time_count || (Probes >= 1 && Probes <= std::int64_t{breaker_word::most_probes}));
};

}  // namespace detail

/// Opens after `Failures` attempts in a row failed: for `OpenFor` no attempt begins, first attempts included; then
/// `Probes` attempts may begin. If all probes succeed it closes, if a probe fails it opens again.
///
/// A failure of kind `client` is the caller's fault: it neither opens nor closes anything. The end of an attempt that
/// began before the last change of state is ignored. A probe that is abandoned, by a stop or an exception of a policy,
/// leaves its place to another attempt; a probe that never ends keeps its place, so compose an attempt timeout.
/// `circuit_breaker<5, 30s>` has its numbers in its type; `circuit_breaker{5, 30s}` takes values known at run time and
/// throws `std::invalid_argument` where the requirements fail. It lives in the strategy, as a quota does: keep the
/// strategy. Use one breaker per destination; for several destinations: partitioned.
///
/// Models: Gate (exact under contention, lock-free, 8 bytes; time to the millisecond, never earlier)
/// Formula: open while now < (time of the opening failure) + OpenFor
/// Requires: 1 <= Failures <= 2^32-1, OpenFor > 0, 1 <= Probes <= 2^22-1
/// Cost: the clock is read at the start of each call and before each attempt; while closed one load per attempt, and a
/// compare-exchange per failure and for the first success after it
/// Choose it where calls to a destination that is down should fail fast and spare it. Not where single callers fail for
/// their own reasons among many that succeed: rate_breaker. Not where callers should wait instead: cool_down.
/// Source: M. Nygard, "Release It!"; the names of the states are his.
template <std::int64_t Failures /*= 5*/, static_duration OpenFor /*= 30s*/, std::int64_t Probes /*= 1*/>
class circuit_breaker {
  static constexpr bool is_static = Failures != run_time_count && OpenFor != run_time && Probes != run_time_count;

 public:
  using role = roles::gate;
  using pass_type = detail::breaker_word::pass_type;

  constexpr circuit_breaker() noexcept
    requires is_static
  = default;

  template <std::integral Count, class Rep, class Period, std::integral ProbeCount = int>
    requires(!is_static)
  constexpr circuit_breaker(Count failures, std::chrono::duration<Rep, Period> open_for, ProbeCount probes = 1)
      : failures_{static_cast<std::uint32_t>(failures)},
        open_for_{detail::saturate(open_for)},
        probes_{static_cast<std::uint32_t>(probes)} {
    if (!std::in_range<std::uint32_t>(failures) || failures < 1) {
      detail::invalid_argument("circuit_breaker", "failures must be between 1 and 4294967295",
                               std::to_string(failures));
    }
    if (open_for_.get() <= duration::zero()) {
      detail::invalid_argument("circuit_breaker", "open_for must be above zero", detail::to_text(open_for_.get()));
    }
    if (!std::in_range<std::uint32_t>(probes) || probes < 1 || probes_.get() > detail::breaker_word::most_probes) {
      detail::invalid_argument("circuit_breaker", "probes must be between 1 and 4194303", std::to_string(probes));
    }
  }

  [[nodiscard]] admission<pass_type> try_enter(time_point now) const noexcept {
    return word_.try_enter(now, probes_.get());
  }
  void on_success(pass_type pass, time_point /*now*/) const noexcept { word_.on_success(pass, probes_.get()); }
  void on_failure(pass_type pass, failure const& what, time_point now) const noexcept {
    if (what.kind == error_kind::client) {
      word_.release(pass);
    } else {
      word_.on_failure(pass, failures_.get(), detail::saturating_add(now, open_for_.get()));
    }
  }
  void release(pass_type pass) const noexcept { word_.release(pass); }

  /// True when it is open and will still be open at that time. False while probes are in flight, because their outcome
  /// is unknown.
  [[nodiscard]] bool would_refuse(time_point time) const noexcept { return word_.would_refuse(time); }

  /// For display: it may have changed before it is read. Still open when the time is over and no attempt has begun
  /// since.
  [[nodiscard]] breaker_state state() const noexcept { return word_.state(); }

  [[nodiscard]] std::string describe() const {
    std::string text{"circuit_breaker("};
    text.append(std::to_string(failures_.get())).append(",").append(detail::to_text(open_for_.get()));
    if (probes_.get() != 1) text.append(",").append(std::to_string(probes_.get()));
    return text.append(")");
  }

  static constexpr bool is_sound =
      detail::breaker_counts_are_in_range<Failures, Probes>::value && detail::times_are_above_zero<OpenFor>::value;
  template <class Self>
  static consteval void explain() {
    if constexpr (!detail::breaker_counts_are_in_range<Failures, Probes>::value) {
      static_assert(
          detail::breaker_counts_are_in_range<Failures, Probes>::value,
          "anew::circuit_breaker<Failures, OpenFor, Probes> requires 1 <= Failures <= 4294967295 and 1 <= Probes <= "
          "4194303; it needs at least one failure to open and one probe to close. Omit the policy for no breaker");
    } else {
      static_assert(detail::times_are_above_zero<OpenFor>::value,
                    "anew::circuit_breaker<Failures, OpenFor> requires OpenFor > 0; the breaker would never stay open. "
                    "Omit the policy for no breaker");
    }
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Failures, circuit_breaker> failures_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<OpenFor, circuit_breaker, 1> open_for_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Probes, circuit_breaker, 2> probes_;
  detail::breaker_word word_;
};

template <std::integral Count, class Rep, class Period>
circuit_breaker(Count, std::chrono::duration<Rep, Period>) -> circuit_breaker<run_time_count, run_time, run_time_count>;
template <std::integral Count, class Rep, class Period, std::integral ProbeCount>
circuit_breaker(Count, std::chrono::duration<Rep, Period>, ProbeCount)
    -> circuit_breaker<run_time_count, run_time, run_time_count>;

}  // namespace anew::inline ANEW_ABI

#endif
