// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_DEMANDS_HPP
#define ANEW_BOUNDS_DEMANDS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/bounds/bounds_of.hpp"
#include "anew/bounds/limits.hpp"
#include "anew/strategy/internal/ill_formed_strategy.hpp"

/// Demands on a strategy, for the templates of clients: `template <anew::WaitsAtMost<250ms> S> void fetch(S const&);`.
/// A strategy that falls short does not compile; the message shows the promised and the demanded number, and the role
/// that decides: "wait 60s > 250ms by hint". Numbers that are known at run time meet no demand: compare
/// `shortfall(bounds(strategy), limits)`.
namespace anew::inline ANEW_ABI {

namespace detail {

/// As long as its text, so that compilers print nothing after it.
template <std::size_t N>
struct message {
  char text[N + 1]{};
};
template <class S, limits L>
consteval auto message_of() {
  if constexpr (std::is_same_v<S, ill_formed_strategy>) {  // its mistake is the only error
    return message<0>{};
  } else {
    constexpr auto found = first_shortfall(bounds_of<S>(), L);
    message<found.size> text{};
    for (std::size_t i = 0; i != found.size; ++i) text.text[i] = found.text[i];
    return text;
  }
}
/// A type, because g++ prints a type in a constraint that fails, and not the value of a constant expression.
template <auto Text>
struct says {
  static constexpr bool nothing = sizeof(Text.text) == 1;
};
template <class Says>
concept Nothing = Says::nothing;
template <class S, limits L>
using shortfall_of = says<detail::message_of<S, L>()>;

}  // namespace detail

/// A call makes at most N attempts, the first one included.
template <class S, std::uint64_t N>
concept AttemptsAtMost = detail::Nothing<detail::shortfall_of<S, limits{.attempts = N}>>;
/// No wait before an attempt is longer than D, even where a server asks for more.
template <class S, static_duration D>
concept WaitsAtMost = detail::Nothing<detail::shortfall_of<S, limits{.wait = D}>>;
/// A call waits at most D in all.
template <class S, static_duration D>
concept WaitsInAllAtMost = detail::Nothing<detail::shortfall_of<S, limits{.waiting = D}>>;
/// A call ends within D, where each attempt keeps `attempt::limit()`.
template <class S, static_duration D>
concept EndsWithin = detail::Nothing<detail::shortfall_of<S, limits{.call = D}>>;
/// In the long run the calls that share the quota make at most R attempts each: `rational{3, 2}` is half as much again.
template <class S, rational R>
concept AmplifiesAtMost = detail::Nothing<detail::shortfall_of<S, limits{.amplification = R}>>;
/// All that L demands.
template <class S, limits L>
concept Within = detail::Nothing<detail::shortfall_of<S, L>>;

/// Ends the compilation where the strategy promises less than L; returns true otherwise:
/// `static_assert(anew::demand<my_strategy, anew::limits{.call = 2s}>());`.
template <class S, limits L>
consteval bool demand() {
  static_assert(detail::shortfall_of<S, L>::nothing,
                "anew::demand<Strategy, limits>() requires a strategy that promises what you demand; the text in "
                "'says' names what it does not promise. Compose a policy that bounds it, or demand less");
  return true;
}

}  // namespace anew::inline ANEW_ABI

#endif
