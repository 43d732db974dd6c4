// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_BOUND_HPP
#define ANEW_BOUNDS_BOUND_HPP

#include <cstdint>
#include <limits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// How well a bound is known.
enum class certainty : std::uint8_t {
  exact,      ///< some call reaches it
  at_most,    ///< no call exceeds it; perhaps none reaches it
  unbounded,  ///< the policies set no bound
  unknown,    ///< a policy does not say, or its numbers are known at run time only
};

/// A number that no call exceeds, and the role of the policy that sets it: "hint", "max_attempts", "deadline".
template <class T>
struct bound {
  T value{};
  certainty how = certainty::exact;
  char const* by = "";

  [[nodiscard]] constexpr bool is_known() const noexcept { return how <= certainty::at_most; }
  [[nodiscard]] constexpr bool is_at_most(T limit) const noexcept { return is_known() && value <= limit; }
};

/// The promises of all calls together that share a quota. The quota returns it from `promises(attempts)`.
struct quota_bounds {
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  /// The most consecutive retries, of the cheapest kind of error, from a full quota while every attempt fails.
  std::uint64_t burst = no_limit;
  /// Those after `transient` errors.
  std::uint64_t transient_burst = no_limit;
  /// Retries a second that are granted for ever, whatever comes of them.
  double per_second = 0;
  /// Retries that each call allows, whatever comes of it; of concurrency_budget, retries for each call under way.
  double for_each_call = 0;
  /// A full quota drains when more than this share of attempts fails, one as likely as another; 1: it never drains.
  double drains_above = 1;
  /// Attempts for each call in the long run at that share, where attempts fail independently; 0: it does not say.
  double expected_amplification = 0;
  /// The same for any order of failures. A bucket that gives back what the last retry paid lets each call make a second
  /// attempt, as long as that one succeeds.
  bound<double> amplification;
};

/// The promises of a strategy: `bounds_of<S>()`, `bounds(strategy)`. Each number says how it is known and by which role.
struct strategy_bounds {
  static constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

  bound<std::uint64_t> attempts;  ///< of one call, hedges included
  bound<duration> own_wait;       ///< before one attempt, by backoff and jitter
  bound<duration> wait;           ///< before one attempt, with the delays that a server asks for and a quota lends
  bound<duration> own_waiting;    ///< in one call, by backoff and jitter
  bound<duration> waiting;        ///< in one call, with hints, a lending quota, the gate and the pacer
  duration least_waiting{};       ///< a call that used up its attempts waited at least so long
  bound<duration>
      expected_waiting;       ///< the mean of calls whose attempts all fail with `transient` errors, without hints
  bound<duration> admission;  ///< before one attempt, at the gate and the pacer
  bound<duration> attempt;    ///< one attempt, where the operation keeps `attempt::limit()`
  bound<duration> call;       ///< the whole call, where each attempt keeps `attempt::limit()`
  quota_bounds quota;
  bool is_single_when_nested = false;  ///< inside an attempt of a guarded call it makes one attempt
};

}  // namespace anew::inline ANEW_ABI

#endif
