// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_ADAPTIVE_RETRY_STRATEGY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_ADAPTIVE_RETRY_STRATEGY_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <cstdint>
#include <memory>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/rate_limiter_constants.hpp"
#include "anew/ports/smithy_kotlin/backoff_delayer.hpp"
#include "anew/ports/smithy_kotlin/exponential_backoff_with_jitter.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/retry_hooks.hpp"
#include "anew/ports/smithy_kotlin/retry_token_bucket.hpp"
#include "anew/ports/smithy_kotlin/standard_retry_strategy.hpp"
#include "anew/ports/smithy_kotlin/standard_retry_token_bucket.hpp"
#include "anew/ports/smithy_kotlin/time_source.hpp"
#include "anew/roles/pacer.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// smithy-kotlin's `AdaptiveRateLimiter`: an `anew::client_rate_limiter` that the strategies of one service share. The first
/// throttled try switches it on; from then on tries wait in their order for a rate that it learns. Its formula, its cost
/// and when to choose it: anew/policies/pacer/client_rate_limiter.hpp.
class adaptive_rate_limiter final : public retry_hooks {
 public:
  /// Throws `std::invalid_argument` for constants that no limiter can have.
  explicit adaptive_rate_limiter(rate_limiter_constants const& constants = {}) : limiter_{constants} {}

  [[nodiscard]] pace before_try(std::uint32_t /*attempt*/, rate_place& place, time_point now) override {
    return limiter_.ask(place, now);
  }
  void after_try(std::uint32_t /*attempt*/, retry_directive const& said, time_point now) override {
    bool const is_throttled = said.is_retry() && said.reason() == retry_error_type::throttling;
    is_throttled ? limiter_.on_failure({.kind = error_kind::throttling}, now) : limiter_.on_success(now);
  }
  void leave(rate_place place) noexcept override { limiter_.release(place); }

  [[nodiscard]] auto const& limiter() const noexcept { return limiter_; }

 private:
  decltype(client_rate_limiter{rate_limiter_constants{}}) limiter_;
};

/// smithy-kotlin's `AdaptiveRetryStrategy`: the standard one with a rate limiter, which may delay first tries too. It is the
/// standard strategy with these hooks, and suspends as that does.
class adaptive_retry_strategy : public standard_retry_strategy {
 public:
  explicit adaptive_retry_strategy(
      standard_retry_strategy_options const& options = {},
      std::shared_ptr<retry_token_bucket> token_bucket = std::make_shared<standard_retry_token_bucket>(),
      std::shared_ptr<backoff_delayer const> delayer = std::make_shared<exponential_backoff_with_jitter>(),
      std::shared_ptr<time_source const> time = system_time(),
      std::shared_ptr<retry_hooks> rate_limiter = std::make_shared<adaptive_rate_limiter>())
      : standard_retry_strategy{options, std::move(token_bucket), std::move(delayer), std::move(time),
                                std::move(rate_limiter)} {}
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
