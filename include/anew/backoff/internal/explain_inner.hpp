// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_INTERNAL_EXPLAIN_INNER_HPP
#define ANEW_BACKOFF_INTERNAL_EXPLAIN_INNER_HPP

#include "anew/concept/backoff.hpp"
#include "anew/platform/compiler.hpp"

/// What a backoff requires of a backoff inside it.
namespace anew::inline ANEW_ABI::detail {

// Compilers explain a concept at length, and this one at the bottom of a pile.
template <class B>
struct is_a_backoff {
  static constexpr bool value = Backoff<B>;
};

/// Says the same whatever kinds of errors there were: the policies around it count retries, not kinds.
template <class B>
struct counts_retries_alone {
  static constexpr bool value = !DelaysByKind<B>;
};

template <class B>
inline constexpr bool is_sound_backoff = Backoff<B> && counts_retries_alone<B>::value;
template <class B>
  requires requires { B::is_sound; }
inline constexpr bool is_sound_backoff<B> = Backoff<B> && counts_retries_alone<B>::value && B::is_sound;

/// True when this type may stand inside another backoff; otherwise says why not.
template <class B>
consteval bool explain_inner_backoff() {
  if constexpr (is_sound_backoff<B>) {
    return true;
  } else if constexpr (Backoff<B> && counts_retries_alone<B>::value) {
    B::template explain<B>();
    return false;
  } else if constexpr (Backoff<B>) {
    static_assert(
        counts_retries_alone<B>::value,
        "anew::sum_backoff, floor_backoff, immediate_first, for_first and phased_backoff require a Backoff "
        "policy inside that counts retries alone; this one tells kinds of errors apart, and nobody would tell "
        "it. Put these inside of it instead, one for each kind");
    return false;
  } else {
    static_assert(is_a_backoff<B>::value,
                  "anew::sum_backoff, floor_backoff, immediate_first, for_first and phased_backoff require a Backoff "
                  "policy inside; this one is none. Does it say 'using role = anew::roles::backoff;' and "
                  "'anew::duration delay(std::uint32_t retry) const'?");
    return false;
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
