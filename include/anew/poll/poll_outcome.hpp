// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLL_POLL_OUTCOME_HPP
#define ANEW_POLL_POLL_OUTCOME_HPP

#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/drive/internal/result_slot.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/call_refused.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

/// What a listener is told before a wait.
struct poll_progress {
  std::uint32_t attempt;              ///< the number of the look that was made last
  directive verdict;                  ///< what the acceptors said of it
  bool failed;                        ///< its request failed; false: not ready
  duration delay;                     ///< until the next look
  std::optional<duration> remaining;  ///< of the whole wait, before this delay; nothing without a deadline
};

namespace detail {

struct poll_call;

}  // namespace detail

/// How polling ended: why, the last result or exception, after how many calls, and how long it took.
template <class R>
class [[nodiscard]] poll_outcome {
 public:
  /// `succeeded` and `not_retryable` are the acceptors' success and failure; `unclassified` is an exception that no
  /// acceptor reads; `deadline` means that time ran out.
  [[nodiscard]] stop_reason reason() const noexcept { return reason_; }
  [[nodiscard]] bool succeeded() const noexcept { return reason_ == stop_reason::succeeded; }
  [[nodiscard]] bool failed() const noexcept {
    return reason_ == stop_reason::not_retryable || reason_ == stop_reason::unclassified;
  }
  [[nodiscard]] bool timed_out() const noexcept { return reason_ == stop_reason::deadline; }

  /// How often the operation was called: 0 if a gate, a pacer or a stop came before the first call.
  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

  /// From the start to the end, by the strategy's clock; waits included.
  [[nodiscard]] duration elapsed() const noexcept { return elapsed_; }

  /// False when the last look threw, and when there was none.
  [[nodiscard]] bool has_result() const noexcept { return result_.has_value(); }

  /// The operation's last result. Without one its last exception is rethrown, which an acceptor may have judged a
  /// success; without any call `call_refused` is thrown.
  [[nodiscard]] decltype(auto) result() & {
    rethrow();
    return *result_;
  }
  [[nodiscard]] decltype(auto) result() const& {
    rethrow();
    return *result_;
  }
  [[nodiscard]] R result() && {
    rethrow();
    return result_.take();
  }

#if ANEW_EXCEPTIONS
  /// The last call's exception; null if it returned.
  [[nodiscard]] std::exception_ptr exception() const noexcept { return exception_; }
#endif

  poll_outcome(poll_outcome&& other) noexcept(std::is_nothrow_move_constructible_v<R>)
      : reason_{other.reason_}, attempts_{other.attempts_}, elapsed_{other.elapsed_} {
    if (other.result_.has_value()) result_.emplace_from([&]() -> R { return other.result_.take(); });
#if ANEW_EXCEPTIONS
    exception_ = std::move(other.exception_);
#endif
  }
  poll_outcome& operator=(poll_outcome&&) = delete;
  poll_outcome(poll_outcome const&) = delete;
  poll_outcome& operator=(poll_outcome const&) = delete;
  ~poll_outcome() = default;

 private:
  friend detail::poll_call;
  poll_outcome() = default;

  void rethrow() const {
    if (result_.has_value()) return;
#if ANEW_EXCEPTIONS
    if (exception_) std::rethrow_exception(exception_);
    throw call_refused{reason_};
#else
    __builtin_trap();
#endif
  }

  detail::result_slot<R> result_;
#if ANEW_EXCEPTIONS
  std::exception_ptr exception_;
#endif
  stop_reason reason_ = stop_reason::succeeded;
  std::uint32_t attempts_ = 0;
  duration elapsed_{};
};

}  // namespace anew::inline ANEW_ABI

#endif
