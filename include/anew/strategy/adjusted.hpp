// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STRATEGY_ADJUSTED_HPP
#define ANEW_STRATEGY_ADJUSTED_HPP

#include <type_traits>
#include <utility>

#include "anew/base/internal/slots.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sharing/borrowed.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/internal/explain.hpp"
#include "anew/strategy/strategy.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class P>
concept CanBeCopied = std::is_copy_constructible_v<P>;
template <class P>
concept CanBeBorrowed = PlaysRole<P, roles::quota> || PlaysRole<P, roles::gate> || PlaysRole<P, roles::pacer>;

template <class P>
inline constexpr bool can_be_kept = CanBeCopied<P> || CanBeBorrowed<P>;

/// How another strategy takes a policy: as a copy, or as a pointer where a copy would be a second budget.
template <class P>
using kept = std::conditional_t<CanBeCopied<P> || !CanBeBorrowed<P>, P, borrowed<P>>;

template <class Given, class P>
constexpr decltype(auto) given_or_kept(Given& given, P const& own) {
  if constexpr (requires { detail::take<typename P::role>(given); }) {
    return detail::take<typename P::role>(given);
  } else {
    static_assert(
        can_be_kept<P>,
        "anew::adjusted(strategy, policies...) requires policies that can be copied, except quotas, gates and pacers, "
        "which are shared; this policy can be neither copied nor shared. Pass a replacement for it");
    return kept<P>{own};
  }
}

template <class Strategy>
struct kept_of;
template <class... Ps>
struct kept_of<basic_strategy<Ps...>> : std::type_identity<basic_strategy<kept<Ps>...>> {};

}  // namespace detail

/// Makes a strategy for one call, or a few: these policies replace those of `strategy`; it copies the values of the
/// others, and shares the quota, gate and pacer.
///
///     anew::retry(anew::adjusted(strategy, anew::max_attempts{8}), operation);
///
/// Requires: `strategy` outlives the returned strategy; every other policy of `strategy` can be copied, unless it is a
/// quota, a gate or a pacer.
/// Cost: copying the other policies, most of which are empty.
/// Choose it for a setting that differs from call to call. For a setting known at compile time, without values to keep:
/// with<>.
template <class... Ps, class... Policies>
[[nodiscard]] constexpr auto adjusted(basic_strategy<Ps...> const& strategy, Policies&&... policies) {
  if constexpr (!(((detail::explainer_of<std::remove_cvref_t<Policies>>::template explain<
                        std::remove_cvref_t<Policies>>(),
                    detail::own_explainer_of<std::remove_cvref_t<Policies>>::explain(),
                    detail::SoundPolicy<std::remove_cvref_t<Policies>>) &&
                   ...) &&
                  (detail::explain_given<Policies>() && ...) &&
                  detail::explain_replacement<std::remove_cvref_t<Policies>...>())) {
    return detail::ill_formed_strategy{};
  } else {
    using result = with<typename detail::kept_of<basic_strategy<Ps...>>::type, std::remove_cvref_t<Policies>...>;
    detail::value_slots<Policies...> given{std::forward<Policies>(policies)...};
    return strategy.apply([&given](auto const&... own) { return result{detail::given_or_kept(given, own)...}; });
  }
}

/// A temporary strategy must not lend its policies.
template <class... Ps, class... Policies>
void adjusted(basic_strategy<Ps...> const&& gone,  // anew: the result refers to a strategy that you keep
              Policies&&...) = delete;

}  // namespace anew::inline ANEW_ABI

#endif
