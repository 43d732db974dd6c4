// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_STANDARD_RETRY_POLICY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_STANDARD_RETRY_POLICY_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <exception>
#include <optional>
#include <system_error>

#include "anew/base/failure.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/ports/smithy_kotlin/attempt_result.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/retry_policy.hpp"
#include "anew/run_time/virtual/retry_info.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

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
/// |                          | the same, the fault is somebody else's                     | retry, `transient`     |
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
