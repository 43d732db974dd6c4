// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_WAITER_HPP
#define ANEW_PRESETS_WAITER_HPP

#include <chrono>
#include <cstdint>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/poll/poll.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/cap_after_draw.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/limits/poll_deadline.hpp"
#include "anew/strategy/strategy.hpp"

/// Delays for `anew::poll()`. None has a quota: an answer that is not there yet is no failure. The documents say nothing of
/// delays that a server asks for; here they may be as long as the waiters' longest delay by default, 120 s.
namespace anew::inline ANEW_ABI::smithy {

/// Choose this to wait for a resource as the SDKs' waiters do: at random between MinDelay and a ceiling that doubles
/// from there up to MaxDelay, until MaxWait is over; the last look is at its very end. MaxWait has no default, so that
/// you choose it yourself.
///
/// Formula: U(MinDelay, min(MaxDelay, MinDelay * 2^(n-1))) before retry n; what remains of MaxWait, where no more than
/// MinDelay would remain after that
/// Source: Smithy "Waiters" specification, "Waiter retries", whose `attemptCeiling` is the saturation of this ceiling.
/// Drawn in nanoseconds; the specification draws whole seconds.
template <static_duration MaxWait, static_duration MinDelay = std::chrono::seconds{2},
          static_duration MaxDelay = std::chrono::seconds{120}>
using waiter = strategy<exponential_backoff<MinDelay, MaxDelay>, from_first_jitter, poll_deadline<MaxWait, MinDelay>,
                        unbounded, retry_all, server_hint<long_hint::stop, std::chrono::seconds{120}>>;

/// Makes a `waiter` whose values are known at run time. Throws `std::invalid_argument` unless 0 < min_delay <= max_delay
/// and min_delay <= max_wait_time.
[[nodiscard]] constexpr auto make_waiter(duration max_wait_time, duration min_delay = std::chrono::seconds{2},
                                         duration max_delay = std::chrono::seconds{120}) {
  return compose(exponential_backoff{min_delay, max_delay}, from_first_jitter{},
                 poll_deadline{max_wait_time, min_delay}, unbounded{}, retry_all{},
                 server_hint<long_hint::stop, std::chrono::seconds{120}>{});
}

}  // namespace anew::inline ANEW_ABI::smithy

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// Choose this to look as often as the SDK for Kotlin does: at most 20 times, without a limit of time.
///
/// Formula: U(0, min(MaxDelay, MinDelay * 1.5^(n-1))) before retry n
/// Source: smithy-kotlin, the retry strategy of its waiters: 20 attempts, scale factor 1.5, jitter 1.
template <static_duration MinDelay = std::chrono::seconds{2}, static_duration MaxDelay = std::chrono::seconds{120}>
using waiter = strategy<exponential_backoff<MinDelay, MaxDelay, rational{3, 2}>, full_jitter, max_attempts<20>,
                        retry_all, server_hint<long_hint::stop, std::chrono::seconds{120}>>;

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

namespace anew::inline ANEW_ABI::aws {

/// Choose this to ask for the status of something that runs: waits 2^n * 100 ms before look n, n from 0, the first one
/// too, and looks at most MaxRetries times. No jitter: no other client asks for this status. Not for many clients that
/// began together.
///
/// Formula: min(Cap, 2^n * 100 ms) before look n + 1
/// Source: AWS General Reference, "Error retries and exponential backoff in AWS", the pseudo code that polls for
/// status. It asks for a maximum delay without naming one: Cap is the SDKs' 20 s.
template <std::int64_t MaxRetries, static_duration Cap = std::chrono::seconds{20}>
using status_polling =
    wait_first<strategy<exponential_backoff<std::chrono::milliseconds{200}, Cap>, no_jitter, max_attempts<MaxRetries>,
                        retry_all, server_hint<long_hint::stop, std::chrono::seconds{120}>>,
               std::chrono::milliseconds{100}>;

}  // namespace anew::inline ANEW_ABI::aws

#endif
