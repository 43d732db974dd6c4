// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CALL_HEDGE_INTERNAL_EXPLAIN_HPP
#define ANEW_CALL_HEDGE_INTERNAL_EXPLAIN_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/call/hedge/hedging.hpp"
#include "anew/call/internal/explain_machine.hpp"
#include "anew/strategy/basic_token.hpp"

/// Explains a mistake in a `hedge_machine` in one sentence, before anything is computed from it.
namespace anew::inline ANEW_ABI::detail {

template <class S>
struct is_composed_of_policies {
  static constexpr bool value = requires { requires std::is_same_v<typename S::token_type, basic_token<S>>; };
};

template <class S>
struct expects_one_attempt_at_a_time {
  static constexpr bool value = HasNesting<S> || requires { requires S::has_reset; };
};

template <class H>
struct models_hedging {
  static constexpr bool value = Hedging<H>;
};

template <declared Declared>
struct is_declared_idempotent {
  static constexpr bool value = Declared == declared::idempotent;
};

template <class H>
consteval bool explain_hedging() {
  if constexpr (requires { requires !H::is_sound; }) {
    H::template explain<H>();
    return false;
  } else {
    static_assert(
        models_hedging<H>::value,
        "anew::hedge_machine{strategy, hedging, anew::idempotent_call} requires a Hedging as its second argument; this "
        "type is not a Hedging. Pass anew::hedge_after<10ms>{}, or an anew::hedge_at_quantile");
    return models_hedging<H>::value;
  }
}

template <class S, class H, declared Declared>
consteval bool explain_hedge_machine() {
  if constexpr (std::same_as<S, ill_formed_strategy>) {
    return false;  // explained where it was composed
  } else if constexpr (!is_composed_of_policies<S>::value) {
    static_assert(is_composed_of_policies<S>::value,
                  "anew::hedge_machine{strategy, ...} requires an anew::strategy<...>; with several attempts in flight "
                  "it must know what each of them paid, and the functions of a RetryStrategy do not say that. Compose "
                  "one, or use anew::retry_machine");
    return false;
  } else if constexpr (expects_one_attempt_at_a_time<S>::value) {
    static_assert(!expects_one_attempt_at_a_time<S>::value,
                  "anew::hedge_machine{strategy, ...} requires a strategy without nesting_guard and reset_after; both "
                  "expect one attempt at a time. Remove them");
    return false;
  } else if constexpr (!is_declared_idempotent<Declared>::value) {
    static_assert(
        is_declared_idempotent<Declared>::value,
        "anew::hedge_machine{strategy, hedging, declaration} requires anew::idempotent_call; the server may get the "
        "request twice at the same time. Pass anew::idempotent_call if it may, or use anew::retry_machine");
    return false;
  } else {
    return explain_hedging<H>();
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
