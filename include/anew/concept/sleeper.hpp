// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_SLEEPER_HPP
#define ANEW_CONCEPT_SLEEPER_HPP

#include <concepts>

#include "anew/duration.hpp"

namespace anew {

/// A caller's wish that the call should end. `std::stop_token` is one; so is anything with these two functions.
template <class T>
concept StopToken = std::copyable<T> && requires(T const& t) {
  { t.stop_requested() } -> std::same_as<bool>;
  { t.stop_possible() } -> std::same_as<bool>;
};

/// Waits. Called once before every retry, also when the delay is zero.
///
/// | expression            | meaning                                                                       |
/// |-----------------------|-------------------------------------------------------------------------------|
/// | `sleep(delay)`        | waits that long; `delay >= 0`                                                 |
/// | `sleep(delay, stop)`  | preferred where it exists and the call has a stop token: wakes when it fires  |
///
/// May throw: the call ends with that exception, and the retry that was not made is given back to the quota.
template <class S>
concept Sleeper = requires(S& sleep, duration delay) { sleep(delay); };

template <class S, class Stop>
concept SleeperFor =
    Sleeper<S> || (StopToken<Stop> && requires(S& sleep, duration delay, Stop const& stop) { sleep(delay, stop); });

/// The stop token of a call that nobody stops. Costs nothing.
struct never_stop {
  [[nodiscard]] static constexpr bool stop_requested() noexcept { return false; }
  [[nodiscard]] static constexpr bool stop_possible() noexcept { return false; }
};

}  // namespace anew

#endif
