// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_POLICY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_POLICY_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"

#if ANEW_EXCEPTIONS

#include <exception>
#include <functional>
#include <initializer_list>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/base/failure.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/run_time/virtual/retry_info.hpp"

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

/// Decides how to proceed after a result of type `R`. Used by many threads at once. An exception of it ends the call,
/// and the attempt counts as failed.
template <class R>
class retry_policy {
 public:
  virtual ~retry_policy() = default;
  [[nodiscard]] virtual retry_directive evaluate(attempt_result<R> const& result) const = 0;
};

/// A policy for results of every type, which reads exceptions only: every value is a success.
class universal_retry_policy {
 public:
  virtual ~universal_retry_policy() = default;

  template <class R>
  [[nodiscard]] retry_directive evaluate(attempt_result<R> const& result) const {
    return result.has_value() ? retry_directive::terminate_and_succeed : evaluate_exception(result.exception());
  }

  /// `thrown` is not null.
  [[nodiscard]] virtual retry_directive evaluate_exception(std::exception_ptr const& thrown) const = 0;
};

/// One line of a waiter: its directive if the predicate accepts the result of an attempt.
template <class R>
struct acceptor {
  retry_directive state;
  std::function<bool(attempt_result<R> const&)> matches;
};

/// A waiter's policy: the first matching acceptor decides. If none matches, a value means "not yet" and is retried as
/// `server_side`, and an exception is final.
///
/// `acceptor_retry_policy<std::string>{{retry_directive::terminate_and_succeed, [](auto const& r) { return r &&
/// r.value() == "ACTIVE"; }}}`; `r.template threw<not_found>()` is true for a type of exception.
template <class R>
class acceptor_retry_policy final : public retry_policy<R> {
 public:
  acceptor_retry_policy(std::initializer_list<acceptor<R>> acceptors) : acceptors_{acceptors} {}

  [[nodiscard]] retry_directive evaluate(attempt_result<R> const& result) const override {
    for (auto const& each : acceptors_) {
      if (each.matches(result)) return each.state;
    }
    return result.has_value() ? retry_directive::retry_error(retry_error_type::server_side)
                              : retry_directive::terminate_and_fail;
  }

 private:
  std::vector<acceptor<R>> acceptors_;
};

struct standard_retry_policy_options {
  /// The block may run again although an earlier attempt may have taken effect: `maybe` safe is retried too.
  bool idempotent = false;
};

/// Succeeds with every value. For an exception the first tier that applies decides:
///
/// | tier                     | exception                                                  | directive              |
/// |--------------------------|------------------------------------------------------------|------------------------|
/// | metadata                 | `anew::retry_info` that is throttling and not unsafe       | retry, `throttling`    |
/// | service exception        | retryable, a time-out                                      | retry, `timeout`       |
/// |                          | retryable, with `anew::error_info`: the server's, the client's fault | retry, `server_side`, `client_side` |
/// |                          | the same, and the fault is `other`                         | retry, `transient`     |
/// | client exception         | retryable, without `anew::error_info`                      | retry, `client_side`   |
/// | other libraries          | `std::system_error` without `anew::retry_info`, whose code anew::error_code_classifier retries | retry, `timeout`, `transient` |
/// | yours                    | what `evaluate_other_exceptions` says                      |                        |
/// | none                     |                                                            | terminate and fail     |
///
/// Retryable means `retry_safety::yes`; with `idempotent`, `maybe` too. Derive from it for your own exceptions.
class standard_retry_policy : public universal_retry_policy {
 public:
  standard_retry_policy() = default;
  explicit standard_retry_policy(standard_retry_policy_options options) noexcept : options_{options} {}

  [[nodiscard]] retry_directive evaluate_exception(std::exception_ptr const& thrown) const final {
    if (auto const told = if_exception<retry_info>(thrown, [](retry_info const& e) { return read_failure(e); })) {
      if (auto const opinion = evaluate_retry_info(thrown, *told)) return *opinion;
    } else if (auto const opinion = evaluate_system_error(thrown)) {
      return *opinion;
    }
    return evaluate_other_exceptions(thrown).value_or(retry_directive::terminate_and_fail);
  }

 protected:
  /// For exceptions to which no tier above applies. `if_exception<E>(thrown, look)` inspects one.
  [[nodiscard]] virtual std::optional<retry_directive> evaluate_other_exceptions(
      std::exception_ptr const& /*thrown*/) const {
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool may_run_again(retry_safety safety) const noexcept {
    return safety == retry_safety::yes || (safety == retry_safety::maybe && options_.idempotent);
  }

  [[nodiscard]] std::optional<retry_directive> evaluate_retry_info(std::exception_ptr const& thrown,
                                                                   failure const& told) const {
    // A throttled request was not carried out, so only an explicit `no` prevents a retry.
    if (told.kind == error_kind::throttling && told.safety != retry_safety::no) return retry(told);
    if (!may_run_again(told.safety)) return std::nullopt;
    if (told.kind == error_kind::timeout) return retry(told);
    auto const fault = if_exception<error_info>(thrown, [](error_info const& e) { return e.fault(); });
    auto const type = !fault || *fault == error_fault::client ? retry_error_type::client_side
                      : *fault == error_fault::server         ? retry_error_type::server_side
                                                              : retry_error_type::transient;
    return retry_directive::retry_error(type, told.hint);
  }

  [[nodiscard]] std::optional<retry_directive> evaluate_system_error(std::exception_ptr const& thrown) const {
    auto const known = if_exception<std::system_error>(
        thrown, [](std::system_error const& e) { return error_code_classifier::classify(e); });
    if (!known || !known->is_retry() || !may_run_again(known->what().safety)) return std::nullopt;
    return retry(known->what());
  }

  [[nodiscard]] static retry_directive retry(failure const& told) noexcept {
    return retry_directive::retry_error(to_retry_error_type(told.kind), told.hint);
  }

  standard_retry_policy_options options_{};
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS

#endif
