// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_HOOKS_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_HOOKS_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/roles/pacer.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// The place of one call among those that wait for their turn. A default one has no place.
using rate_place = client_rate_limiter<>::ticket_type;

/// The functions that a strategy calls around each try: smithy-kotlin's `beforeInitialTry`, `afterTry` and `beforeRetry`.
///
/// Override what you need. An exception of `before_try` or `after_try` ends the call. The charge of a try that did not run
/// comes back; one that ran stays charged. `retry_capacity_exceeded` of `before_try` ends it by `rate_limited`. Used by many threads at once.
/// Choose it to pace tries or to count them. To only watch a strategy of anew: an observer.
class retry_hooks {
 public:
  retry_hooks() = default;
  retry_hooks(retry_hooks const&) = delete;
  retry_hooks& operator=(retry_hooks const&) = delete;
  virtual ~retry_hooks() = default;

  /// Before try `attempt`, which is 1 for the first; before a retry this is after the token bucket and the delay. A wait
  /// above zero delays the try: the call waits without a thread, if it suspends, and asks again.
  [[nodiscard]] virtual pace before_try(std::uint32_t /*attempt*/, rate_place& /*place*/, time_point /*now*/) {
    return {};
  }
  /// Called after each try, with the policy's directive.
  virtual void after_try(std::uint32_t /*attempt*/, retry_directive const& /*said*/, time_point /*now*/) {}
  /// A call that waited at this place makes no further try.
  virtual void leave(rate_place /*place*/) noexcept {}
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
