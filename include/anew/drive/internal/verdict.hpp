// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_INTERNAL_VERDICT_HPP
#define ANEW_DRIVE_INTERNAL_VERDICT_HPP

#include <concepts>
#include <type_traits>

#include "anew/classifier/retry_info.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/operation/rewinding.hpp"
#include "anew/operation/throws_only.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/directive.hpp"
#include "anew/value/result_traits.hpp"

/// Reads the outcome of an attempt: what its strategy's classifier says of a result or an exception.
namespace anew::inline ANEW_ABI::detail {

template <class S>
constexpr decltype(auto) classifier_of(S const& strategy) {
  if constexpr (requires { strategy.classifier(); }) {
    return strategy.classifier();
  } else {
    return retry_info_classifier{};
  }
}
template <class S>
using classifier_type_of = std::remove_cvref_t<decltype(classifier_of(std::declval<S const&>()))>;

/// The classifier's verdict on a plain value; no value where the classifier does not read results.
template <class C, class R>
inline constexpr bool is_classified_by_value =
    !std::is_same_v<R, void_result> && (carries_error<R> ? ReadsWhole<C, R> : ReadsResult<C, R>);

/// `Op` is the operation, which may declare what its result means.
template <class Op, class S, class R>
ANEW_INLINE auto judge([[maybe_unused]] S const& strategy, [[maybe_unused]] R const& result) {
  if constexpr (ThrowsOnly<Op>) {
    return true;
  } else if constexpr (is_classified_by_value<classifier_type_of<S>, R>) {
    return classifier_of(strategy).classify_result(result);
  } else {
    return is_success(result);
  }
}
constexpr bool is_success_verdict(bool verdict) noexcept { return verdict; }
constexpr bool is_success_verdict(directive const& verdict) noexcept { return verdict.is_success(); }

/// A result, an error or an exception that knows whether its attempt used up what it sends.
template <class T>
concept SaysWhetherReplayable = requires(T const& t) {
  { t.is_replayable() } -> std::same_as<bool>;
};

/// The verdict on an outcome. It is final in the end where the attempt used up its input and nothing rewinds it.
template <class Op, class T>
constexpr directive unless_used_up([[maybe_unused]] T const& outcome, directive const& verdict) {
  if constexpr (!IsRewound<Op>) {
    if constexpr (SaysWhetherReplayable<T>) {
      if (!outcome.is_replayable()) return verdict.on_used_up_input();
    } else if constexpr (carries_error<T>) {
      if constexpr (SaysWhetherReplayable<error_type<T>>) {
        if (!is_success(outcome) && !error_of(outcome).is_replayable()) return verdict.on_used_up_input();
      }
    }
  }
  return verdict;
}

template <class Op, class S, class R>
directive explain_failure([[maybe_unused]] S const& strategy, [[maybe_unused]] R const& result, bool /*verdict*/) {
  if constexpr (carries_error<R> && !ThrowsOnly<Op>)
    return detail::unless_used_up<Op>(result, classifier_of(strategy).classify(error_of(result)));
  return directive::fail();
}
template <class Op, class S, class R>
directive explain_failure(S const& /*strategy*/, [[maybe_unused]] R const& result, directive const& verdict) {
  return detail::unless_used_up<Op>(result, verdict);
}

/// The verdict on an exception. A call that threw has no result to succeed with.
template <class Op, class S, class E>
ANEW_INLINE directive judge_exception([[maybe_unused]] S const& strategy, [[maybe_unused]] E const& error) {
  auto verdict = directive::unclassified();
  if constexpr (ClassifierOf<classifier_type_of<S>, E>) verdict = classifier_of(strategy).classify(error);
  return detail::unless_used_up<Op>(error, verdict.is_success() ? directive::fail() : verdict);
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
