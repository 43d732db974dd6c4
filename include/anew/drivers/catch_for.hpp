// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_CATCH_FOR_HPP
#define ANEW_DRIVERS_CATCH_FOR_HPP

#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/retry_strategy.hpp"

namespace anew::inline ANEW_ABI {

/// Runs `attempt()` between the catch clauses of the strategy's classifier, for a driver that blocks its thread or fibre.
///
///     bool const returned = anew::catch_for<S>(
///         [&] { return result.emplace(call.start()), true; },
///         [&](auto const&) { return (step = call.on_exception(std::current_exception())) != next_step::finished; },
///         [] { return false; });
///     if (returned) step = call.on_outcome(*result);
///
/// `failed(error)` is called with the exception as the first type of the classifier's `catches` that fits, and with
/// `unknown_exception` where none fits. It returns false to let the exception propagate unchanged, and true to swallow
/// it: then `after()` runs once the exception is destroyed, and its result is returned.
///
/// Returns: what `attempt()` or `after()` returns. Throws: what `attempt()` threw, where `failed` returns false; what
/// `failed` and `after` throw. An exception that is not a C++ exception (a thread's cancellation) always propagates.
/// Requires: `attempt` reports nothing to the strategy, for an exception of a classifier is not an outcome of the
/// attempt.
/// Cost: none for an attempt that returns. Without exceptions `failed` and `after` are not called.
/// Choose it where your driver must let the last exception propagate as it was thrown. Not where attempts end in
/// callbacks: pass the `std::exception_ptr` to `call_engine::on_exception`.
template <RetryStrategy S, class Attempt, class Failed, class After>
ANEW_INLINE auto catch_for(Attempt&& attempt, Failed&& failed, After&& after) -> decltype(attempt()) {
  return detail::guarded<typename detail::catches_of<detail::classifier_type_of<S>>::type>(
      std::forward<Attempt>(attempt), std::forward<Failed>(failed), std::forward<After>(after));
}

}  // namespace anew::inline ANEW_ABI

#endif
