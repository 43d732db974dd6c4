// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_REFUSED_RESULT_HPP
#define ANEW_BASE_REFUSED_RESULT_HPP

#include <concepts>
#include <exception>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"

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

/// Makes the result of a call that is refused before its first attempt, so that it need not throw `call_refused`.
/// Specialise it for results that can carry an error:
///
///     template <> struct anew::refused_result<answer> {
///       static answer make(anew::stop_reason why) { return answer::error(my_error::not_tried); }
///     };
template <class R>
struct refused_result {};

namespace detail {

template <class R>
concept MakesTimedOutResult = requires(R&& cancelled) {
  { timed_out_result<R>::make(std::move(cancelled)) } -> std::convertible_to<R>;
};

/// After an attempt that was cancelled by its timeout: a failed result becomes that of a time-out.
template <class R>
void write_late_result([[maybe_unused]] stop_reason reason, [[maybe_unused]] R& result) {
  if constexpr (MakesTimedOutResult<R>) {
    if (reason != stop_reason::succeeded) result = timed_out_result<R>::make(std::move(result));
  }
}

template <class R>
concept MakesRefusedResult = requires(stop_reason why) {
  { refused_result<R>::make(why) } -> std::convertible_to<R>;
};

}  // namespace detail

/// True where `refused_result<R>::make(reason)` exists: your own driver returns that value for a call that ends before
/// its first attempt. For every other result it throws or delivers `call_refused{reason}`.
template <class R>
inline constexpr bool makes_refused_result = detail::MakesRefusedResult<R>;

/// Thrown by a call that ended before its first attempt, so that there is no result to return: a gate or a pacer
/// refused the attempt, or a stop or the deadline came while the attempt waited for one of them. Only a strategy with a
/// gate or a pacer throws it.
class ANEW_VISIBLE call_refused : public std::exception {
 public:
  explicit call_refused(stop_reason reason) noexcept : reason_{reason} {}
  [[nodiscard]] stop_reason reason() const noexcept { return reason_; }
  [[nodiscard]] char const* what() const noexcept override {
    switch (reason_) {
      case stop_reason::cancelled: return "anew: the call was cancelled before its first attempt";
      case stop_reason::deadline: return "anew: the deadline came before the first attempt";
      case stop_reason::rate_limited: return "anew: the pacer has no room for the first attempt";
      default: return "anew: the gate refused the attempt";
    }
  }

 private:
  stop_reason reason_;
};

}  // namespace anew::inline ANEW_ABI

#endif
