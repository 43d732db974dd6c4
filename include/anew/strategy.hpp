// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_HPP
#define ANEW_STRATEGY_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/basic_strategy.hpp"
#include "anew/describe.hpp"
#include "anew/detail/explain.hpp"
#include "anew/detail/normalize.hpp"

namespace anew {

/// Policies of which a strategy can be made. The question, for constraints of your own; `strategy<>` explains a no.
template <class... Policies>
concept Composable = detail::is_composable<Policies...>();

namespace detail {

/// What a composition that was explained to be wrong becomes: a RetryStrategy that does nothing, so that the
/// explanation stays the only error.
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

template <bool Sound, class Catalogue, class... Ps>
struct make_strategy {
  using type = normalized<Catalogue, Ps...>;
};
template <class Catalogue, class... Ps>
struct make_strategy<false, Catalogue, Ps...> {
  using type = ill_formed_strategy;
};

template <class Strategy, class... Ps>
struct make_with {
  using type = typename make_strategy<detail::explain_replacement<Ps...>(), typename own_catalogue<Strategy>::type,
                                      Ps...>::type;
};
template <class... Ps>
struct make_with<ill_formed_strategy, Ps...> {
  using type = ill_formed_strategy;
};

}  // namespace detail

/// A strategy of these policies, in any order; the same policies in another order are the same type.
///
/// | role            | when absent                     |
/// |-----------------|---------------------------------|
/// | `backoff`       | `exponential_backoff<50ms, 20s>` |
/// | `jitter`        | `full_jitter`                   |
/// | `quota`         | `unlimited_quota`               |
/// | `classifier`    | `retry_info_classifier`         |
/// | `max_attempts`  | `max_attempts<3>`; beside a deadline it must be said |
/// | `hint`          | `server_hint<>`                 |
/// | `deadline`, `observer`, `clock`, `random_source` | none: no size, no code |
///
/// Requires: at most one policy per role, each a model of its role; a mistake is one compile-time error that says so.
/// Example: examples/01_first_retry.cpp
template <class... Policies>
using strategy = typename detail::make_strategy<detail::explain<Policies...>(), detail::catalogue, Policies...>::type;

/// The strategy with these policies in the place of its own: `with<fast, max_attempts<8>>`.
template <class Strategy, class... Policies>
using with = typename detail::make_with<Strategy, Policies...>::type;

/// A strategy of policies whose values are known at run time: `compose(exponential_backoff{base, cap}, max_attempts{n})`.
/// Roles that are not given play their defaults. The policies are moved in.
template <class... Policies>
[[nodiscard]] constexpr auto compose(Policies&&... policies) {
  if constexpr (sizeof...(Policies) == 0) {
    return strategy<>{};
  } else {
    return strategy<std::remove_cvref_t<Policies>...>{std::forward<Policies>(policies)...};
  }
}

/// One attempt, whatever its outcome: retries turned off in one word.
using never = strategy<max_attempts<1>>;

}  // namespace anew

#endif
