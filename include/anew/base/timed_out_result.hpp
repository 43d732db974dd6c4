// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_TIMED_OUT_RESULT_HPP
#define ANEW_BASE_TIMED_OUT_RESULT_HPP

#include <concepts>
#include <utility>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// Makes the result of a call whose last attempt was ended by its attempt timeout, in drivers that cancel the attempt, so
/// that a time-out differs from a stop that the caller asked for. `cancelled` is what the attempt completed with.
/// Specialise it for results that can carry an error:
///
///     template <> struct anew::timed_out_result<answer> {
///       static answer make(answer&& cancelled) { return answer::error(my_error::timed_out); }
///     };
///
/// A completion whose first argument is an error code or an exception has `timed_out` there, and needs no specialisation.
template <class R>
struct timed_out_result {};

namespace detail {

template <class R>
concept MakesTimedOutResult = requires(R&& cancelled) {
  { timed_out_result<R>::make(std::move(cancelled)) } -> std::convertible_to<R>;
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
