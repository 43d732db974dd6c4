// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_WITHOUT_EXCEPTIONS_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_WITHOUT_EXCEPTIONS_HPP

#include "anew/base/platform/compiler.hpp"

#if !ANEW_EXCEPTIONS
/// Replaces the retryer where there are no exceptions: one sentence that says so.
namespace anew::inline ANEW_ABI::smithy_kotlin {

namespace detail {

template <class... Dependent>
struct retryer_without_exceptions {
  static_assert(sizeof...(Dependent) != sizeof...(Dependent),
                "anew::smithy_kotlin's retryer requires exceptions; it reports every failure by throwing, as its "
                "design document says. Use anew::retry(strategy, operation), which works without exceptions");
};

}  // namespace detail

template <class...>
using attempt_result = detail::retryer_without_exceptions<>;
template <class...>
using retry_policy = detail::retryer_without_exceptions<>;
template <class...>
using acceptor_retry_policy = detail::retryer_without_exceptions<>;
template <class...>
using policy_backoff_delayer = detail::retryer_without_exceptions<>;
using adaptive_rate_limiter = detail::retryer_without_exceptions<>;
using adaptive_retry_strategy = detail::retryer_without_exceptions<>;
using backoff_delayer = detail::retryer_without_exceptions<>;
using exponential_backoff_with_jitter = detail::retryer_without_exceptions<>;
using infinite_token_bucket = detail::retryer_without_exceptions<>;
using retry_failure = detail::retryer_without_exceptions<>;
using retry_hooks = detail::retryer_without_exceptions<>;
using retry_strategy = detail::retryer_without_exceptions<>;
using retry_token = detail::retryer_without_exceptions<>;
using retry_token_bucket = detail::retryer_without_exceptions<>;
using standard_retry_policy = detail::retryer_without_exceptions<>;
using standard_retry_strategy = detail::retryer_without_exceptions<>;
using standard_retry_token_bucket = detail::retryer_without_exceptions<>;
using universal_retry_policy = detail::retryer_without_exceptions<>;

}  // namespace anew::inline ANEW_ABI::smithy_kotlin
#endif

#endif
