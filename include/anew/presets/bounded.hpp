// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_BOUNDED_HPP
#define ANEW_PRESETS_BOUNDED_HPP

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/strategy/strategy.hpp"

namespace anew::inline ANEW_ABI {

/// For clients that need an answer in time: a call ends within `Call`, where each attempt keeps `attempt::limit()`.
///
/// `bounded<250ms>` makes at most three attempts. One takes at most half of what remains, so a server that hangs leaves
/// time for another attempt. The waits are 5 ms and 10 ms at most by themselves, and 62.5 ms where the server asks for a
/// delay; a longer delay ends the call. A bucket of 500 tokens limits the retries of all calls: one costs 5, a success gives
/// back 1, so that calls make at most 1.2 attempts in the long run, however they fail.
///
/// Requires: Call > 0; an operation that takes an `anew::attempt&` and keeps its limit, or an asynchronous driver
/// Formula: backoff min(Call/4, Call/50 * 2^(n-1)); longest hint Call/4; attempt (rest of Call)/2
/// Choose it where a late answer is worth nothing. Not for work in the background: strategy<>, or a published preset
template <static_duration Call, std::int64_t Attempts = 3>
using bounded =
    strategy<exponential_backoff<static_duration{Call.value() / 50}, static_duration{Call.value() / 4}>, full_jitter,
             token_bucket<500, retry_costs::all(5), refund::fixed(1)>, max_attempts<Attempts>, deadline<Call>,
             attempt_timeout_share<rational{1, 2}>, server_hint<long_hint::stop, static_duration{Call.value() / 4}>>;

}  // namespace anew::inline ANEW_ABI

#endif
