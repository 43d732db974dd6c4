// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_FAILURE_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_FAILURE_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "anew/base/stop_reason.hpp"
#include "anew/ports/smithy_kotlin/attempt_result.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

namespace detail {

/// One address per type, to check the type of a stored result without run-time type information.
template <class R>
ANEW_VISIBLE inline char type_key{};  // not constant: linkers fold equal constants

}  // namespace detail

/// The last result of a call, whatever its type.
class kept_result {
 public:
  kept_result() noexcept = default;
  template <class R>
  explicit kept_result(attempt_result<R>&& result)
      : exception_{result.exception()},
        result_{std::make_shared<attempt_result<R>>(std::move(result))},
        key_{&detail::type_key<R>} {}

  template <class R>
  [[nodiscard]] std::shared_ptr<attempt_result<R>> as() const noexcept {
    return key_ == &detail::type_key<R> ? std::static_pointer_cast<attempt_result<R>>(result_) : nullptr;
  }
  [[nodiscard]] std::exception_ptr const& exception() const noexcept { return exception_; }

 private:
  std::exception_ptr exception_;
  std::shared_ptr<void> result_;
  char const* key_ = nullptr;
};

/// A call that failed for a reason of the retryer's own. If the last attempt threw, the call ends with that exception
/// instead, except when the time is up: then it throws a `timed_out` with that exception nested.
class ANEW_VISIBLE retry_failure : public std::runtime_error {
 public:
  retry_failure(std::string const& what, stop_reason reason, std::uint32_t attempts, kept_result last)
      : std::runtime_error{what}, reason_{reason}, attempts_{attempts}, last_{std::move(last)} {}

  [[nodiscard]] stop_reason reason() const noexcept { return reason_; }

  /// How many attempts were made.
  [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

  /// The result of the last attempt, if the block returns `R`; null for another `R` and if no attempt was made. Copies
  /// of the exception share it; it may be moved from.
  template <class R>
  [[nodiscard]] std::shared_ptr<attempt_result<R>> last_result() const noexcept {
    return last_.as<R>();
  }
  /// The exception of the last attempt; null if it returned.
  [[nodiscard]] std::exception_ptr const& last_exception() const noexcept { return last_.exception(); }

 private:
  stop_reason reason_;
  std::uint32_t attempts_;
  kept_result last_;
};

/// The policy wants another attempt, but the last permitted one was made, or (`stop_reason::quota`) the token bucket
/// refused to pay for it.
struct ANEW_VISIBLE too_many_attempts : retry_failure {
  using retry_failure::retry_failure;
};

/// The time for the call is over.
struct ANEW_VISIBLE timed_out : retry_failure {
  using retry_failure::retry_failure;
};

/// The policy says that a value is a final failure.
struct ANEW_VISIBLE failed : retry_failure {
  using retry_failure::retry_failure;
};

/// A stop was requested.
struct ANEW_VISIBLE cancelled : retry_failure {
  using retry_failure::retry_failure;
};

/// Throws the exception for the reason, as `retry_failure` says. `reason` is not `succeeded`.
[[noreturn]] inline void throw_retry_failure(stop_reason reason, std::uint32_t attempts, kept_result last) {
  std::string text{"anew::smithy_kotlin: "};
  auto const after = [attempts] {
    return std::string{" after "}.append(std::to_string(attempts)).append(attempts == 1 ? " attempt" : " attempts");
  };
  if (reason == stop_reason::deadline) {
    text.append("the time for the call is over").append(after());
    auto const cause = last.exception();
    timed_out error{text, reason, attempts, std::move(last)};
    if (!cause) throw error;
    try {
      std::rethrow_exception(cause);
    } catch (...) {
      std::throw_with_nested(std::move(error));
    }
  }
  if (last.exception()) std::rethrow_exception(last.exception());
  if (reason == stop_reason::not_retryable) {
    throw failed{text.append("the result is a permanent failure").append(after()), reason, attempts, std::move(last)};
  }
  if (reason == stop_reason::cancelled) {
    throw cancelled{text.append("a stop was requested").append(after()), reason, attempts, std::move(last)};
  }
  text.append(reason == stop_reason::quota ? "the token bucket refused another attempt" : "no success");
  throw too_many_attempts{text.append(after()), reason, attempts, std::move(last)};
}

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
