// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_RESULT_SLOT_HPP
#define ANEW_DRIVERS_INTERNAL_RESULT_SLOT_HPP

#include <concepts>
#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/base/stop_reason.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 at -O1 does not see that a result has been placed
#endif

namespace anew::inline ANEW_ABI::detail {

/// Storage for one result, which the driver destroys before the sleep rather than at the end of a scope. Unlike
/// `std::optional` it takes a function's result without a move, also for types that convert from anything.
template <class R>
class result_slot {
 public:
  result_slot() noexcept {}
  result_slot(result_slot const&) = delete;
  result_slot& operator=(result_slot const&) = delete;
  ~result_slot() { reset(); }

  template <class Make>
  R& emplace_from(Make&& make) {
    reset();
    ::new (static_cast<void*>(__builtin_addressof(value_))) R(std::forward<Make>(make)());
    full_ = true;
    return value_;
  }

  void reset() noexcept {
    if (std::exchange(full_, false)) value_.~R();
  }

  [[nodiscard]] bool has_value() const noexcept { return full_; }
  [[nodiscard]] R& operator*() noexcept { return value_; }
  [[nodiscard]] R const& operator*() const noexcept { return value_; }
  [[nodiscard]] R take() { return std::move(value_); }

 private:
  union {
    R value_;
  };
  bool full_ = false;
};

template <class R>
class result_slot<R&> {
 public:
  template <class Make>
  R& emplace_from(Make&& make) {
    value_ = __builtin_addressof(std::forward<Make>(make)());
    return *value_;
  }
  void reset() noexcept { value_ = nullptr; }
  [[nodiscard]] bool has_value() const noexcept { return value_ != nullptr; }
  [[nodiscard]] R& operator*() const noexcept { return *value_; }
  [[nodiscard]] R& take() const noexcept { return *value_; }

 private:
  R* value_ = nullptr;
};

}  // namespace anew::inline ANEW_ABI::detail

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// Machinery that stands outside of detail: looking up a name with an outcome looks into the namespaces of its bases.
namespace anew::inline ANEW_ABI::endings {

/// How a retried or polled call ended: the result or the exception, the reason, the number of attempts, and the time
/// that it took.
template <class R>
class ending {
 public:
  /// Why it ended.
  [[nodiscard]] stop_reason reason() const noexcept { return reason_; }
  [[nodiscard]] bool succeeded() const noexcept { return reason_ == stop_reason::succeeded; }

  /// How often the operation was called: 0 when a gate, a pacer or a stop came before the first attempt.
  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

  /// From the start to the end, by the strategy's clock; waits included.
  [[nodiscard]] duration elapsed() const noexcept { return elapsed_; }

  /// False when the last attempt threw, and when no attempt was made.
  [[nodiscard]] bool has_result() const noexcept { return result_.has_value(); }

  /// The operation's own last result. Without one its last exception is rethrown; without any attempt `call_refused` is
  /// thrown.
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

  /// The result of a call that succeeded with one; else the fallback: a value, or what a function returns that gets the
  /// outcome, and so learns why the call ended. A poll may succeed with an exception.
  R result_or(auto&& fallback) && {
    return succeeded() && has_result() ? static_cast<R>(result_.take())
                                       : instead(std::forward<decltype(fallback)>(fallback));
  }
  R result_or(auto&& fallback) const& {
    return succeeded() && has_result() ? static_cast<R>(*result_) : instead(std::forward<decltype(fallback)>(fallback));
  }

#if ANEW_EXCEPTIONS
  /// The last attempt's exception, or `call_refused` if no attempt was made; null if the last attempt returned.
  [[nodiscard]] std::exception_ptr exception() const noexcept { return exception_; }
#endif

  ending(ending&& other) noexcept(std::is_nothrow_move_constructible_v<R>)
      : reason_{other.reason_}, attempts_{other.attempts_}, elapsed_{other.elapsed_} {
    if (other.result_.has_value()) result_.emplace_from([&]() -> R { return other.result_.take(); });
#if ANEW_EXCEPTIONS
    exception_ = std::move(other.exception_);
#endif
  }
  ending& operator=(ending&&) = delete;
  ending(ending const&) = delete;
  ending& operator=(ending const&) = delete;

 protected:
  ending() = default;
  ~ending() = default;

  detail::result_slot<R> result_;
#if ANEW_EXCEPTIONS
  std::exception_ptr exception_;
#endif
  stop_reason reason_ = stop_reason::succeeded;
  std::uint32_t attempts_ = 0;
  duration elapsed_{};

 private:
  template <class Fallback>
  R instead(Fallback&& fallback) const {
    if constexpr (std::is_same_v<R, detail::void_result>) {
      static_cast<void>(std::forward<Fallback>(fallback)(*this));
      return {};
    } else if constexpr (std::invocable<Fallback, ending const&>) {
      return static_cast<R>(std::forward<Fallback>(fallback)(*this));
    } else {
      return static_cast<R>(std::forward<Fallback>(fallback));
    }
  }
  void rethrow() const {
    if (result_.has_value()) return;
#if ANEW_EXCEPTIONS
    if (exception_) std::rethrow_exception(exception_);
    throw call_refused{reason_};
#else
    detail::trap();
#endif
  }
};

}  // namespace anew::inline ANEW_ABI::endings

namespace anew::inline ANEW_ABI::detail {

/// Receives the reason of a call's end from the functions of decide.hpp, and ignores the rest.
struct ending_report {
  static constexpr bool is_wanted = true;
  stop_reason reason = stop_reason::cancelled;  // the reason of a call that is abandoned
  bool operation_threw = false;

  static void failed(failure const& /*what*/) noexcept {}
  void ended(stop_reason why, std::uint32_t /*attempts*/) noexcept { reason = why; }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
