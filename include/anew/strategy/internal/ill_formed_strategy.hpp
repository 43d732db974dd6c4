// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_INTERNAL_ILL_FORMED_STRATEGY_HPP
#define ANEW_STRATEGY_INTERNAL_ILL_FORMED_STRATEGY_HPP

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/retry_strategy.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The result of a composition that is explained to be wrong: a RetryStrategy that does nothing, so that the
/// explanation is the only error.
struct ill_formed_strategy {
  struct token_type {
    [[nodiscard]] static constexpr duration delay() noexcept { return {}; }
  };
  ill_formed_strategy() = default;
  template <class... Anything>
    requires(sizeof...(Anything) > 0)
  constexpr explicit ill_formed_strategy(Anything&&... /*ignored*/) noexcept {}
  [[nodiscard]] static constexpr token_type acquire_initial_token() noexcept { return {}; }
  [[nodiscard]] static constexpr refreshed<token_type> refresh_retry_token(token_type&& /*t*/,
                                                                           failure const& /*f*/) noexcept {
    return stop_reason::not_retryable;
  }
  static constexpr void record_success(token_type&& /*t*/) noexcept {}
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
