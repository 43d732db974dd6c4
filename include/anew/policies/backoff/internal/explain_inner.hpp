// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_INTERNAL_EXPLAIN_INNER_HPP
#define ANEW_POLICIES_BACKOFF_INTERNAL_EXPLAIN_INNER_HPP

#include "anew/base/internal/inner.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/backoff.hpp"

/// The requirements of a backoff on a backoff inside it.
namespace anew::inline ANEW_ABI::detail {

// A named trait rather than the concept, which compilers would explain at length under a pile of notes.
template <class B>
inline constexpr bool is_a_backoff = Backoff<B>;

/// The backoff's delay does not depend on the kinds of errors, because the policies around it count retries, not kinds.
template <class B>
inline constexpr bool depends_on_retry_number_only = !DelaysByKind<B>;

template <class B>
inline constexpr bool is_sound_backoff = Backoff<B> && depends_on_retry_number_only<B> && numbers_of<B>::is_sound;

/// True when the type may be nested in another backoff; otherwise explains why not.
template <class B>
consteval bool explain_inner_backoff() {
  if constexpr (is_sound_backoff<B>) {
    return true;
  } else if constexpr (Backoff<B> && depends_on_retry_number_only<B>) {
    numbers_of<B>::explain();
  } else if constexpr (Backoff<B>) {
    static_assert(depends_on_retry_number_only<B>,
                  "anew: a backoff that wraps another requires an inner Backoff that depends on the retry number "
                  "alone; the delay of this Backoff depends on the kind of error. Wrap a backoff for each kind: "
                  "anew::counted_by_kind_backoff<anew::for_kind<Kind, Wrapped>..., WrappedForOthers>");
  } else {
    static_assert(is_a_backoff<B>,
                  "anew: a backoff that wraps another requires an inner Backoff; you passed another type. A Backoff "
                  "has 'using role = anew::roles::backoff;' and 'anew::duration delay(std::uint32_t retry) const'");
  }
  return false;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
