// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_ACCEPTOR_RETRY_POLICY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_ACCEPTOR_RETRY_POLICY_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <functional>
#include <initializer_list>
#include <vector>

#include "anew/ports/smithy_kotlin/attempt_result.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/retry_policy.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

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

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
