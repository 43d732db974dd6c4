// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_HEDGE_INTERNAL_EXPLAIN_HPP
#define ANEW_DRIVERS_HEDGE_INTERNAL_EXPLAIN_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/drivers/internal/explain_machine.hpp"
#include "anew/strategy/basic_token.hpp"

/// Explains a mistake in a `hedge_machine` in one sentence, before anything is computed from it.
namespace anew::inline ANEW_ABI::detail {

template <class S>
inline constexpr bool is_composed_of_policies =
    requires { requires std::is_same_v<typename S::token_type, basic_token<S>>; };

template <class S>
inline constexpr bool may_have_several_attempts = !HasNesting<S> && !requires { requires S::has_reset; };

template <class H>
inline constexpr bool models_hedging = Hedging<H>;

template <declared Declared>
inline constexpr bool is_declared_idempotent = Declared == declared::idempotent;

template <class H>
consteval bool explain_hedging() {
  if constexpr (requires { requires !H::is_sound; }) {
    H::template explain<H>();
    return false;
  } else {
    static_assert(models_hedging<H>,
                  "anew::hedge_machine and anew::async_hedge require a Hedging after the strategy; this type is not a "
                  "Hedging. Pass "
                  "anew::hedge_after<10ms>{}, or an anew::hedge_at_quantile that all calls share");
    return models_hedging<H>;
  }
}

template <class S, class H, declared Declared>
consteval bool explain_hedge_machine() {
  if constexpr (std::same_as<S, ill_formed_strategy>) {
    return false;  // explained where it was composed
  } else if constexpr (!is_composed_of_policies<S>) {
    static_assert(is_composed_of_policies<S>,
                  "anew::hedge_machine{strategy, ...} requires an anew::strategy<...>; with several attempts in flight "
                  "it must know what each of them paid, and the functions of a RetryStrategy do not say that. Compose "
                  "one, or use anew::retry_machine");
    return false;
  } else if constexpr (!may_have_several_attempts<S>) {
    static_assert(may_have_several_attempts<S>,
                  "anew::hedge_machine{strategy, ...} requires a strategy without nesting_guard and reset_after; both "
                  "expect one attempt at a time. Remove them");
    return false;
  } else if constexpr (!is_declared_idempotent<Declared>) {
    static_assert(
        is_declared_idempotent<Declared>,
        "anew::hedge_machine{strategy, hedging, declaration} requires anew::idempotent_call; the server may get the "
        "request twice at the same time. Pass anew::idempotent_call if it may, or use anew::retry_machine");
    return false;
  } else {
    return explain_hedging<H>();
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
