// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_POLICY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_POLICY_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <exception>

#include "anew/ports/smithy_kotlin/attempt_result.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// Decides how to proceed after a result of type `R`. Used by many threads at once. An exception of it ends the call;
/// the quota is as it was before the attempt.
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

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
