// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_USED_UP_HPP
#define ANEW_DRIVERS_INTERNAL_USED_UP_HPP

#include <concepts>

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/declarations.hpp"

/// An attempt that used up its input, such as a body that was read from a pipe, cannot be made again.
namespace anew::inline ANEW_ABI::detail {

/// A result, an error or an exception that knows whether its attempt used up what it sends.
template <class T>
concept SaysWhetherReplayable = requires(T const& t) {
  { t.is_replayable() } -> std::same_as<bool>;
};

/// `T` says so itself, or its error does, and nothing rewinds the operation.
template <class Op, class T>
concept MayBeUsedUp = !IsRewound<Op> && (SaysWhetherReplayable<T> || requires {
  requires carries_error<T>;
  requires SaysWhetherReplayable<error_type<T>>;
});

/// The verdict on an outcome. It is final in the end where the attempt used up its input.
template <class Op, class T>
constexpr directive unless_used_up(Op const& /*operation*/, [[maybe_unused]] T const& outcome,
                                   directive const& verdict) {
  if constexpr (MayBeUsedUp<Op, T>) {
    if constexpr (SaysWhetherReplayable<T>) {
      if (!outcome.is_replayable()) return verdict.on_used_up_input();
    } else {
      if (!is_success(outcome) && !error_of(outcome).is_replayable()) return verdict.on_used_up_input();
    }
  }
  return verdict;
}

/// The same where the attempt has left nothing but the verdict.
template <class Op>
constexpr directive unless_used_up(Op const& /*operation*/, directive const& verdict) {
  return verdict;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
