// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_OUTCOME_HPP
#define ANEW_DRIVE_OUTCOME_HPP

#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/concept/roles.hpp"
#include "anew/drive/internal/decide.hpp"
#include "anew/drive/internal/result_slot.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"
#include "anew/value/result_traits.hpp"
#include "anew/value/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class R, class Log>
struct full_report;

/// What an outcome keeps of the failures when nobody composed a history.
using no_log = absent<roles::history>;

template <class S, class R>
struct log_of {
  using type = no_log;
};
template <KeepsHistory S, class R>
struct log_of<S, R> {
  using type = typename S::history_type::template log<no_error_value>;
};
template <KeepsHistory S, class R>
  requires carries_error<R>
struct log_of<S, R> {
  using type = typename S::history_type::template log<error_type<R>>;
};

}  // namespace detail

/// How a call ended: its own result, and why, after how many attempts, and how long it took; with `history<N>` composed,
/// its last failures too.
template <class R, class Log = detail::no_log>
class [[nodiscard]] outcome {
 public:
  /// Why the call ended.
  [[nodiscard]] stop_reason reason() const noexcept { return reason_; }
  [[nodiscard]] bool succeeded() const noexcept { return reason_ == stop_reason::succeeded; }

  /// How many attempts were made: at least 1, but for a call that a gate refused.
  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

  /// From the start of the call to its end, by the strategy's clock; sleeps included.
  [[nodiscard]] duration elapsed() const noexcept { return elapsed_; }

  /// The last delay that a server asked for, obeyed or not; nothing when none did.
  [[nodiscard]] std::optional<duration> last_hint() const noexcept { return last_hint_; }

  /// The failures that the composed history kept, the oldest first.
  [[nodiscard]] Log const& history() const noexcept
    requires(!std::is_same_v<Log, detail::no_log>)
  {
    return log_;
  }

  /// False when the last attempt threw, and when none was made.
  [[nodiscard]] bool has_result() const noexcept { return result_.has_value(); }

  /// The operation's own result, of success or of failure; rethrows its last exception when there is none.
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
  /// The last attempt's exception; null when it returned.
  [[nodiscard]] std::exception_ptr exception() const noexcept { return exception_; }
#endif

  outcome(outcome&& other) noexcept(std::is_nothrow_move_constructible_v<R>)
      : log_{std::move(other.log_)},
        reason_{other.reason_},
        attempts_{other.attempts_},
        elapsed_{other.elapsed_},
        last_hint_{other.last_hint_} {
    if (other.result_.has_value()) result_.emplace_from([&]() -> R { return other.result_.take(); });
#if ANEW_EXCEPTIONS
    exception_ = std::move(other.exception_);
#endif
  }
  outcome& operator=(outcome&&) = delete;
  outcome(outcome const&) = delete;
  outcome& operator=(outcome const&) = delete;
  ~outcome() = default;

 private:
  template <class, class>
  friend struct detail::full_report;
  outcome() = default;

  void rethrow() const {
#if ANEW_EXCEPTIONS
    if (!result_.has_value()) std::rethrow_exception(exception_);
#endif
  }

  detail::result_slot<R> result_;
#if ANEW_EXCEPTIONS
  std::exception_ptr exception_;
#endif
  ANEW_NO_UNIQUE_ADDRESS Log log_;
  stop_reason reason_ = stop_reason::succeeded;
  std::uint32_t attempts_ = 0;
  duration elapsed_{};
  std::optional<duration> last_hint_;
};

}  // namespace anew::inline ANEW_ABI

#endif
