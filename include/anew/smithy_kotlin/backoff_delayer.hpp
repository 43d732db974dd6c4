// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SMITHY_KOTLIN_BACKOFF_DELAYER_HPP
#define ANEW_SMITHY_KOTLIN_BACKOFF_DELAYER_HPP

#include "anew/platform/compiler.hpp"
#include "anew/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/concept/backoff.hpp"
#include "anew/concept/hint.hpp"
#include "anew/concept/jitter.hpp"
#include "anew/hint/clamped.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/smithy_kotlin/retry_directive.hpp"
#include "anew/smithy_kotlin/time_source.hpp"
#include "anew/value/asked_delay.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"
#include "anew/value/random.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// What a delayer is told of the retry that it delays.
struct backoff_request {
  std::uint32_t attempt = 0;  ///< the attempt that failed; the first is 1
  retry_error_type reason = retry_error_type::server_side;
  asked_delay retry_after{};  ///< what the server asked for
  wait_limit limit{};
};

/// Waits before a retry. Used by many threads at once.
class backoff_delayer {
 public:
  backoff_delayer() = default;
  backoff_delayer(backoff_delayer const&) = delete;
  backoff_delayer& operator=(backoff_delayer const&) = delete;
  virtual ~backoff_delayer() = default;

  /// Returns after the delay, or throws: `wait_ended` when the limit does not permit it.
  virtual void backoff(backoff_request const& request) const = 0;

  /// The same when nothing is known but the number of the attempt. Requires attempt > 0.
  void backoff(std::uint32_t attempt) const {
    backoff_request request{};
    request.attempt = attempt;
    backoff(request);
  }
};

namespace detail {

/// A jitter that forgets between two retries: a delayer is shared by calls, and has nowhere to keep what it remembers.
template <class J>
inline constexpr bool forgets = std::is_empty_v<typename anew::detail::jitter_state<J>::type>;

}  // namespace detail

/// Any Backoff and any Jitter as a delayer; a Hint says what becomes of the delay that a server asked for. A hint that
/// is too long for the policy (`server_hint<>`) leaves the delay as it was computed.
///
/// `policy_backoff_delayer{constant_backoff{1s}, full_jitter{}}`.
///
/// Requires: a jitter that remembers nothing between two retries; every attempt above zero
template <Backoff B, Jitter J, Hint H = clamped_hint<>, class Random = thread_random>
class policy_backoff_delayer : public backoff_delayer {
  static_assert(detail::forgets<J>,
                "anew::smithy_kotlin::policy_backoff_delayer<Backoff, Jitter> requires a Jitter without state; all "
                "calls share it, and this Jitter remembers its last delay. Did you mean anew::full_jitter?");

 public:
  // NOLINTNEXTLINE(performance-unnecessary-value-param): moved where that is more than a copy
  explicit policy_backoff_delayer(B backoff, J jitter = J{}, H hint = H{}, Random random = Random{},
                                  std::shared_ptr<time_source const> time = system_time())
      : backoff_{std::move(backoff)},
        jitter_{std::move(jitter)},
        hint_{std::move(hint)},
        random_{std::move(random)},
        time_{std::move(time)} {}

  using backoff_delayer::backoff;
  void backoff(backoff_request const& request) const override { sleep_within(*time_, delay(request), request.limit); }

  /// The delay that `backoff` would wait; draws a random number.
  [[nodiscard]] duration delay(backoff_request const& request) const {
    if (request.attempt == 0) {
      anew::detail::invalid_argument("smithy_kotlin::backoff_delayer", "attempt must be above zero", "0");
    }
    auto const cap = anew::detail::larger(anew::detail::cap_of(backoff_), duration::zero());
    auto const computed = anew::detail::clamped(drawn(request, cap), duration::zero(), cap);
    if (!request.retry_after) return computed;
    auto const planned = resolved(computed, *request.retry_after, cap);
    return planned ? planned->delay : computed;
  }

 private:
  [[nodiscard]] duration ceiling(backoff_request const& request) const {
    if constexpr (anew::detail::DelaysByKind<B>) {
      auto const kind = to_error_kind(request.reason);
      kind_counts counts{};  // of what came before nothing is known: each failure counts as one of this kind
      for (std::uint32_t n = 0; n < anew::detail::smaller(request.attempt, most_counted); ++n) counts.add(kind);
      return backoff_.delay(call_progress{request.attempt, kind, counts});
    } else {
      return backoff_.delay(request.attempt);
    }
  }

  [[nodiscard]] duration drawn(backoff_request const& request, duration cap) const {
    auto const highest = anew::detail::clamped(ceiling(request), duration::zero(), cap);
    if constexpr (anew::detail::AppliesToCeiling<J>) {
      return jitter_.apply(highest, random_);
    } else {
      typename J::state_type state{};
      return jitter_.apply(delay_bounds{backoff_.delay(1), highest, cap}, state, random_);
    }
  }

  [[nodiscard]] std::optional<planned_delay> resolved(duration computed, duration asked, duration cap) const {
    if constexpr (anew::detail::ResolvesHints<H>) {
      return hint_.resolve(computed, asked, cap);
    } else {
      return hint_.resolve(computed, asked, cap, random_);
    }
  }

  static constexpr std::uint32_t most_counted = 1000;

  B backoff_;
  J jitter_;
  H hint_;
  mutable Random random_;
  std::shared_ptr<time_source const> time_;
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
