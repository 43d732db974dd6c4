// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_SLEEPER_HPP
#define ANEW_ROLES_SLEEPER_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// `std::stop_source` has the functions of a token too, but wakes no sleeper.
template <class T>
concept StopSource = requires(T const& t) { t.get_token(); };

}  // namespace detail

/// A caller's request to end the call. `std::stop_token` is a stop token; so is any other type with these two
/// functions, except a stop source.
template <class T>
concept StopToken = std::copyable<T> && !detail::StopSource<T> && requires(T const& t) {
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
/// A sleeper may throw: the call ends with that exception, and the permit of the omitted retry is returned to the
/// quota.
template <class S>
concept Sleeper = requires(S& sleep, duration delay) { sleep(delay); };

/// A sleeper for calls that have a stop token of type `Stop`: it takes the token, or does without it.
template <class S, class Stop>
concept SleeperFor =
    Sleeper<S> || (StopToken<Stop> && requires(S& sleep, duration delay, Stop const& stop) { sleep(delay, stop); });

namespace detail {

/// The arguments of a call after its operation: a stop token or nothing; or a sleeper, and a stop token or nothing. Named
/// concepts, so that the overloads of anew/bridges/coroutine are the more constrained.
template <class... Stop>
concept StopAlone = sizeof...(Stop) <= 1 && (StopToken<Stop> && ...);
template <class Sleep, class... Stop>
concept SleepThenStop = sizeof...(Stop) == 1 || (sizeof...(Stop) == 0 && !StopToken<std::remove_cvref_t<Sleep>>);

}  // namespace detail

/// The stop token of a call that is never stopped. Costs nothing.
struct never_stop {
  [[nodiscard]] static constexpr bool stop_requested() noexcept { return false; }
  [[nodiscard]] static constexpr bool stop_possible() noexcept { return false; }
};

}  // namespace anew::inline ANEW_ABI

#endif
