// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HEDGE_INTERNAL_TOKENS_HPP
#define ANEW_HEDGE_INTERNAL_TOKENS_HPP

#include <utility>

#include "anew/compose/basic_strategy.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// What servers asked of a call whose attempts are not all over: it binds every attempt that begins later, whichever
/// failure leads to it.
struct heard_hints {
  time_point not_before = time_point::min();
  bool too_long = false;  ///< one of them asked for more than the hint policy permits

  /// `delay` and `origin` are what the hint policy made of it.
  constexpr void add(duration asked, duration delay, delay_origin origin, time_point now) noexcept {
    if (origin == delay_origin::backoff && asked > delay) return;  // the policy ignores it
    not_before = larger(not_before, saturating_add(now, smaller(asked, delay)));
  }
};

/// Another attempt of a call whose other attempts may be under way. `is_at_once`: without backoff, and so without a delay
/// but that of an earlier hint.
template <class S>
struct beside_others {
  S const& strategy;
  heard_hints const& heard;
  bool is_at_once;

  /// False: a server asked for more than the hint policy permits.
  [[nodiscard]] constexpr bool heed(asked_delay& asked, duration& delay, delay_origin& origin) const {
    if (heard.too_long) return false;
    if (is_at_once) asked = std::nullopt;
    if (heard.not_before == time_point::min()) return true;
    auto const least = saturating_subtract(heard.not_before, strategy.now());
    asked = larger(least, asked && *asked <= delay ? *asked : least);
    if (least > delay) {
      delay = least;
      origin = delay_origin::hint;
    }
    return true;
  }
};

/// The token of an attempt that a strategy grants beside those under way, which stay as they are.
template <class S>
[[nodiscard]] constexpr refreshed<typename S::token_type> token_of_another(S const& strategy,
                                                                           typename S::token_type& call,
                                                                           call_progress const& progress,
                                                                           failure const& what,
                                                                           heard_hints const& heard, bool at_once) {
  auto next = deciding::another_of<S>(call, progress.attempts);
  auto const now = deciding::now_if_needed(strategy);
  auto const answer = deciding::grant(strategy, next, call, progress.attempts, progress, what, now,
                                      beside_others<S>{strategy, heard, at_once});
  if (!answer) return {answer.refusal, answer.wait_before_end};
  return {std::move(next), answer.origin};
}

/// Keeps the hint of a failure that no attempt is planned after.
template <class S>
constexpr void remember_hint(S const& strategy, typename S::token_type const& call, call_progress const& progress,
                             failure const& what, heard_hints& heard) {
  duration delay{};
  auto origin = delay_origin::backoff;
  if (deciding::plan_apart(strategy, call, delay, origin, progress, what)) {
    heard.add(*what.hint, delay, origin, strategy.now());
  } else {
    heard.too_long = true;
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
