// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_RETRY_INFO_HPP
#define ANEW_POLICIES_CLASSIFIER_RETRY_INFO_HPP

#include <string>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Retries errors that say themselves that they may be retried; the default of every strategy.
///
/// It reads error values that model `RetryInfo` or have `anew::retry_traits`, and exceptions that derive from
/// `anew::retry_info`. An error value that says nothing does not compile; an exception that says nothing is final. An
/// error that is `maybe` safe is retried only for an operation that is declared `idempotent`.
///
/// Models: Classifier (empty)      Cost: the error's own functions
/// Formula: none
/// Choose it where your errors know whether to retry; specialise `retry_traits` for errors that you cannot edit. For
/// one call with simple errors: retry_if, retry_on.
/// Source: Smithy "Retries" guide, `RetryInfo`; the guide retries MAYBE, smithy-java and anew only after a declaration.
struct retry_info_classifier {
  using role = roles::classifier;
  using catches = catch_list<retry_info>;
  static constexpr bool has_an_opinion = true;

  [[nodiscard]] static constexpr directive classify(SaysWhetherToRetry auto const& error) {
    auto const what = read_failure(error);
    return what.safety == retry_safety::no ? directive::fail() : directive::retry(what);
  }
  [[nodiscard]] static std::string describe() { return "retry_info"; }
};

namespace detail {

/// Transient, with the delay that the error asks for where it says so.
template <class E>
constexpr directive retry_as_transient([[maybe_unused]] E const& error) {
  if constexpr (SaysWhetherToRetry<E>) return directive::retry(error_kind::transient, read_failure(error).hint);
  return directive::retry(error_kind::transient);
}

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
