// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_BACKOFF_DELAYER_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_BACKOFF_DELAYER_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "anew/base/asked_delay.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/time_source.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/strategy/internal/draw.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// The arguments of a delayer: the retry that it delays.
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

  /// The same if only the number of the attempt is known. Requires attempt > 0.
  void backoff(std::uint32_t attempt) const {
    backoff_request request{};
    request.attempt = attempt;
    backoff(request);
  }
};

namespace detail {

/// A jitter that forgets between two retries: a delayer is shared by calls, and has nowhere to keep what it remembers.
template <class J>
inline constexpr bool has_no_state_within_a_call = std::is_empty_v<typename anew::detail::jitter_state<J>::type>;

}  // namespace detail

/// Any Backoff and any Jitter as a delayer; a Hint says what becomes of the delay that a server asked for. A hint that
/// is too long for the policy (`server_hint<>`) leaves the delay as it was computed.
///
/// `policy_backoff_delayer{constant_backoff{1s}, full_jitter{}}`.
///
/// Requires: a jitter that remembers nothing between two retries; every attempt above zero
template <Backoff B, Jitter J, Hint H = clamped_hint<>, class Random = thread_random>
class policy_backoff_delayer : public backoff_delayer {
  static_assert(detail::has_no_state_within_a_call<J>,
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
    anew::detail::require(request.attempt != 0, "smithy_kotlin::backoff_delayer", "attempt must be above zero", "0");
    typename anew::detail::jitter_state<J>::type state{};
    auto const computed = anew::detail::draw(backoff_, jitter_, state, request.attempt, progress_of(request), random_);
    if (!request.retry_after) return computed;
    auto const cap = anew::detail::cap_of(backoff_);
    auto const planned = anew::detail::resolve(hint_, computed, *request.retry_after, cap, random_);
    return planned ? planned->delay : computed;
  }

 private:
  [[nodiscard]] static call_progress progress_of(backoff_request const& request) {
    call_progress progress{request.attempt, to_error_kind(request.reason), {}};
    if constexpr (anew::detail::DelaysByKind<B>) {
      // Nothing is known of what came before: each failure counts as one of this kind.
      for (std::uint32_t n = 0; n < anew::detail::smaller(request.attempt, most_counted); ++n) {
        progress.counts.add(progress.kind);
      }
    }
    return progress;
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
