// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_STRATEGY_HPP
#define ANEW_STRATEGY_STRATEGY_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/base/internal/slots.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/strategy/internal/explain.hpp"
#include "anew/strategy/role_table.hpp"

namespace anew::inline ANEW_ABI {

/// Policies that can form a strategy, for your own constraints. `strategy<>` explains why policies cannot.
template <class... Policies>
concept Composable = detail::is_composable<Policies...>();

namespace detail {

/// Turns an unordered pack of policies into the canonical type: Hana walks the table of roles once, and overload
/// resolution finds each role's policy in the pack. The code calls what `hana::unpack` dispatches to, because one
/// header of Hana is enough for that, and `<boost/hana/unpack.hpp>` is four times as long.
template <class... Ps>
struct fill {
  template <class... Entries>
  constexpr auto operator()(Entries... /*table*/) const {
    return std::type_identity<basic_strategy<pick_t<typename Entries::role, typename Entries::fallback, Ps...>...>>{};
  }
};

template <class Table, class... Ps>
using normalized = typename decltype(hana::unpack_impl<hana::basic_tuple_tag>::apply(Table{}, fill<Ps...>{}))::type;

/// A strategy's own policies as a table, which `with<>` uses for all other roles.
template <class Strategy>
struct own_table;
template <class... Ps>
struct own_table<basic_strategy<Ps...>> : std::type_identity<hana::basic_tuple<entry<typename Ps::role, Ps>...>> {};

template <bool Sound, class... Ps>
struct make_strategy : std::type_identity<normalized<role_table, Ps...>> {};
template <class... Ps>
struct make_strategy<false, Ps...> : std::type_identity<ill_formed_strategy> {};

template <class S>
concept ComposedStrategy = is_composed<S>;

template <class Strategy>
consteval bool explain_base() {
  constexpr bool explained = std::same_as<Strategy, ill_formed_strategy>;
  static_assert(ComposedStrategy<Strategy> || explained,
                "anew::with<Strategy, Policies...> requires a composed strategy as its first argument; this type is "
                "not one. Did you mean anew::strategy<Policies...>?");
  return ComposedStrategy<Strategy>;
}

/// An argument of `compose()`, which must be able to move or copy it into the strategy.
template <class P>
inline constexpr bool can_be_moved_or_copied = std::is_constructible_v<std::remove_cvref_t<P>, P>;

template <class P>
consteval bool explain_given() {
  if constexpr (LendsPolicies<P>) {
    explains_policies::explain<std::remove_cvref_t<P>>();
    return false;
  } else {
    static_assert(can_be_moved_or_copied<P>,
                  "anew::compose(policies...) requires policies that it can copy or move; this quota cannot be copied, "
                  "because two copies would be two budgets. Pass std::move(policy), or construct it in the call");
    return can_be_moved_or_copied<P>;
  }
}

/// True when the strategy has everything that its policies need; otherwise explains what is missing, unless an earlier
/// mistake was explained.
template <class Strategy, class... Ps>
consteval bool explain_needs() {
  if constexpr (!ComposedStrategy<Strategy> || !(SoundPolicy<Ps> && ...)) {
    return false;
  } else if constexpr (!no_role_is_played_twice<Ps...>) {
    return false;
  } else {
    using pair = part_of_a_deadline<typename Strategy::attempt_timeout_type, typename Strategy::deadline_type, Ps...>;
    return detail::explain_part(pair{});
  }
}

template <bool Sound, class Strategy, class... Ps>
struct make_with : std::type_identity<normalized<typename own_table<Strategy>::type, Ps...>> {};
template <class Strategy, class... Ps>
struct make_with<false, Strategy, Ps...> : std::type_identity<ill_formed_strategy> {};

}  // namespace detail

/// A strategy of these policies, in any order; the same policies in another order are the same type.
///
/// roles:
/// | role              | when you compose none |
/// |-------------------|---|
/// | `backoff`         | `exponential_backoff<>`, that is `exponential(50ms,20s)` |
/// | `jitter`          | `full_jitter` |
/// | `quota`           | `unlimited_quota` |
/// | `classifier`      | `retry_info_classifier` |
/// | `max_attempts`    | `max_attempts<3>` |
/// | `hint`            | `server_hint<>`, that is `server_hint(stop)` |
/// | `deadline`        | nothing: no size, no code |
/// | `attempt_timeout` | nothing: no size, no code |
/// | `gate`            | nothing: no size, no code |
/// | `pacer`           | nothing: no size, no code |
/// | `reset`           | nothing: no size, no code |
/// | `nesting`         | nothing: no size, no code |
/// | `observer`        | nothing: no size, no code |
/// | `history`         | the last failure alone |
/// | `clock`           | `std::chrono::steady_clock` |
/// | `random_source`   | the thread's own generator |
///
/// Requires: at most one policy per role, each a model of its role; a mistake is one compile-time error that says so.
/// Example: examples/01_first_retry.cpp
template <class... Policies>
using strategy =
    typename detail::make_strategy<((detail::explainer_of<Policies>::template explain<Policies>(),
                                     detail::own_explainer_of<Policies>::explain(), detail::SoundPolicy<Policies>) &&
                                    ...) &&
                                       detail::explain_composition<Policies...>(),
                                   Policies...>::type;

/// The strategy with these policies instead of its own: `with<fast, max_attempts<8>>`.
template <class Strategy, class... Policies>
using with =
    typename detail::make_with<detail::explain_base<Strategy>() &&
                                   ((detail::explainer_of<Policies>::template explain<Policies>(),
                                     detail::own_explainer_of<Policies>::explain(), detail::SoundPolicy<Policies>) &&
                                    ...) &&
                                   detail::explain_replacement<Policies...>() &&
                                   detail::explain_needs<Strategy, Policies...>(),
                               Strategy, Policies...>::type;

/// A strategy whose retries are limited by a budget that calls share. To require a budget of the strategies that you
/// accept: `static_assert(anew::HasQuota<S>)`.
template <class Strategy>
concept HasQuota =
    detail::ComposedStrategy<Strategy> && !std::is_same_v<typename Strategy::quota_type, unlimited_quota>;

/// A strategy of policies whose values are known at run time:
/// `compose(exponential_backoff{base, cap}, max_attempts{n})`. The defaults play the other roles. The policies are
/// moved in.
template <class... Policies>
[[nodiscard]] constexpr auto compose(Policies&&... policies) {
  if constexpr (sizeof...(Policies) == 0) {
    return strategy<>{};
  } else if constexpr (!detail::explain_arguments<std::remove_cvref_t<Policies>...>()) {
    return detail::ill_formed_strategy{};
  } else if constexpr (!(detail::explain_given<Policies>() && ...)) {
    return detail::ill_formed_strategy{};
  } else {
    return strategy<std::remove_cvref_t<Policies>...>{std::forward<Policies>(policies)...};
  }
}

/// Makes one attempt, whatever its outcome and its error type: disables retries in one word.
using never = strategy<max_attempts<1>, retry_all>;

}  // namespace anew::inline ANEW_ABI

#endif
