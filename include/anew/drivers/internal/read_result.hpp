// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_READ_RESULT_HPP
#define ANEW_DRIVERS_INTERNAL_READ_RESULT_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/roles/classifier.hpp"

/// How every driver asks a classifier about a result, and what it makes of no opinion.
namespace anew::inline ANEW_ABI::detail {

/// The classifier reads the value of such a result.
template <class C, class R>
inline constexpr bool is_classified_by_value =
    !std::is_same_v<R, void_result> && (carries_error<R> ? ReadsWhole<C, R> : ReadsResult<C, R>);

/// A classifier that names exceptions declares that failures are thrown. The default classifier, which catches
/// `retry_info`, declares nothing of the kind, and neither does a classifier that catches every exception.
template <class Catches>
inline constexpr bool names_a_type = false;
template <class... Es>
inline constexpr bool names_a_type<catch_list<Es...>> = (!std::same_as<Es, retry_info> || ...);
template <class C>
concept NamesExceptions = !ClassifierOf<C, unknown_exception> && names_a_type<typename catches_of<C>::type>;

/// A result that may mean a failure, although it does not say so; a signed integer is a value where failures are thrown.
template <class C, class R>
inline constexpr bool may_be_a_failure = is_mute<R> && !(shape_of<R>() == shape::number && NamesExceptions<C>);

/// The classifier's verdict on a result that it reads by value. Where it has no opinion, the shape of the result decides,
/// and a result whose shape says nothing is not classified.
template <class C, class R>
ANEW_INLINE constexpr directive classify_result(C const& classifier, R const& result) {
  directive verdict = classifier.classify_result(result);
  if constexpr (!requires { requires C::has_an_opinion; }) {
    if (verdict.is_no_opinion()) [[unlikely]]
      verdict = may_be_a_failure<C, R> || !is_success(result) ? directive::unclassified() : directive::succeed();
  }
  return verdict;  // the only return: else clang copies it
}

/// An attempt that used up its input, such as a body that was read from a pipe, cannot be made again.
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
constexpr directive unless_used_up(auto const& /*operation*/, directive const& verdict) { return verdict; }

/// A strategy of one call that keeps and judges the outcome of each attempt itself, in place of a classifier: that of a
/// polling call, and that of the smithy-kotlin retryer.
///
/// | expression, `s` const      | meaning                                                                    |
/// |----------------------------|----------------------------------------------------------------------------|
/// | `s.hold(make)`             | stores the attempt's result, which `make()` returns, as a `kept_type`      |
/// | `s.hold_exception(thrown)` | stores its exception                                                       |
/// | `s.report(call, which...)` | reports to the call what is stored; returns the next step                  |
/// | `s.judge_late()`           | the directive for an attempt that passed its timeout; nothing is stored    |
/// | `s.tell(call, step)`       | notifies listeners of the step after that attempt, and returns it          |
/// | `s.give(call)`             | the result of the call, or its exception                                   |
/// | `s.complete(call)`         | the same as a tuple, the arguments of a completion                         |
template <class S>
concept KeepsOutcome = requires { typename S::kept_type; };
/// One whose attempts a coroutine ends when their time is over: `s.is_late()` says whether it has.
template <class S>
concept EndsLateAttempts = requires { requires S::ends_late_attempts; };

}  // namespace anew::inline ANEW_ABI::detail

#endif
