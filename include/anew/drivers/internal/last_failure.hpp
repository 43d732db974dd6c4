// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_LAST_FAILURE_HPP
#define ANEW_DRIVERS_INTERNAL_LAST_FAILURE_HPP

#include <exception>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/result_slot.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Keeps the last failure of a call that a stop, a gate or a quota may end in or after its sleep, because it is the call's
/// result then. For any other call the failure is destroyed before the sleep, and this type is empty.
template <class R, bool MayEndInSleep>
struct last_failure {
  result_slot<R> result;
#if ANEW_EXCEPTIONS
  std::exception_ptr exception;
#endif
  template <class Make>
  void keep(bool wanted, Make&& make) {
    if (wanted) result.emplace_from(std::forward<Make>(make));
  }
  void keep_exception([[maybe_unused]] bool wanted) noexcept {
#if ANEW_EXCEPTIONS
    if (wanted) exception = std::current_exception();
#endif
  }
  void forget() noexcept {
    result.reset();
#if ANEW_EXCEPTIONS
    exception = nullptr;
#endif
  }
  /// False when the token said earlier that it can never stop: it is then polled only between attempts.
  [[nodiscard]] bool is_kept() const noexcept {
#if ANEW_EXCEPTIONS
    if (exception) return true;
#endif
    return result.has_value();
  }
  template <class Report>
  R give([[maybe_unused]] Report& report) {
#if ANEW_EXCEPTIONS
    if (exception) {
      if constexpr (Report::is_wanted) report.operation_threw = true;
      std::rethrow_exception(exception);
    }
#endif
    return result.take();
  }
};
template <class R>
struct last_failure<R, false> {
  static void keep(bool /*wanted*/, auto&& /*make*/) noexcept {}
  static void keep_exception(bool /*wanted*/) noexcept {}
  static void forget() noexcept {}
};

/// A strategy that may end a call before an attempt, although not before the first.
template <class S>
concept RefusesRetries = RefusesAttempts<S> || requires { requires S::settles_permits; };
template <class S>
concept EndsBetweenAttempts = RefusesRetries<S> || WaitsBeforeTheEnd<S>;
template <class S, class Stop>
inline constexpr bool may_end_in_sleep = !std::is_same_v<Stop, never_stop> || EndsBetweenAttempts<S>;
template <class S, class Stop>
bool is_kept_through_sleep(Stop const& stop) noexcept {
  return EndsBetweenAttempts<S> || stop.stop_possible();
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
