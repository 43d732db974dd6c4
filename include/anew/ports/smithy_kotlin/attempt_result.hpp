// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_ATTEMPT_RESULT_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_ATTEMPT_RESULT_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/result_traits.hpp"
#include "anew/drivers/internal/guarded.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// The result of `look(exception)` if the exception is an `E`; else nothing.
template <class E, class Look>
auto if_exception(std::exception_ptr const& thrown, Look&& look)
    -> std::optional<std::remove_cvref_t<std::invoke_result_t<Look, E const&>>> {
  if (thrown == nullptr) return std::nullopt;
  try {
    std::rethrow_exception(thrown);
  } catch (E const& exception) {
    return std::invoke(std::forward<Look>(look), exception);
  } catch (...) {
    return std::nullopt;
  }
}

/// The result of one attempt: a value or an exception. For blocks that return nothing: `attempt_result<void>`.
template <class R>
class attempt_result {
  static_assert(!std::is_reference_v<R>,
                "anew::smithy_kotlin::attempt_result<R> requires an R that is not a reference; the result is kept "
                "while the retryer waits. Return a pointer or a std::reference_wrapper");
  static_assert(std::is_void_v<R> || std::is_move_constructible_v<R>,
                "anew::smithy_kotlin::attempt_result<R> requires an R that can be moved; this type cannot be. Return a "
                "std::unique_ptr to it");
  using stored_type = std::conditional_t<std::is_void_v<R>, anew::detail::void_result, std::remove_cv_t<R>>;

 public:
  using value_type = R;

  /// Runs the block once. Any exception is a result; only a thread's cancellation passes.
  template <class Block>
  [[nodiscard]] static attempt_result of(Block&& block) {
    attempt_result result;
    try {
      if constexpr (std::is_void_v<R>) {
        std::invoke(std::forward<Block>(block));
        result.value_.emplace();
      } else {
        result.value_.emplace(std::invoke(std::forward<Block>(block)));
      }
    } catch (...) {
      if (anew::detail::is_foreign()) throw;
      result.value_.reset();
      result.exception_ = std::current_exception();
    }
    return result;
  }

  template <class... Args>
  [[nodiscard]] static attempt_result success(Args&&... args) {
    attempt_result result;
    result.value_.emplace(std::forward<Args>(args)...);
    return result;
  }
  /// Requires an exception.
  [[nodiscard]] static attempt_result failure(std::exception_ptr exception) noexcept {
    attempt_result result;
    result.exception_ = std::move(exception);
    return result;
  }

  [[nodiscard]] bool has_value() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }

  /// The exception; null when there is a value.
  [[nodiscard]] std::exception_ptr const& exception() const noexcept { return exception_; }

  /// The value; rethrows the exception if there is no value.
  decltype(auto) value() const& {
    if (exception_) std::rethrow_exception(exception_);
    if constexpr (!std::is_void_v<R>) return std::as_const(*value_);
  }
  R value() && {
    if (exception_) std::rethrow_exception(exception_);
    if constexpr (!std::is_void_v<R>) return *std::move(value_);
  }

  /// Whether it threw an `E`.
  template <class E>
  [[nodiscard]] bool threw() const {
    return if_exception<E>(exception_, [](E const&) { return true; }).has_value();
  }

 private:
  attempt_result() noexcept = default;

  std::optional<stored_type> value_;
  std::exception_ptr exception_;
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
