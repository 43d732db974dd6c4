// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_RETRY_ALL_HPP
#define ANEW_POLICIES_CLASSIFIER_RETRY_ALL_HPP

#include <concepts>
#include <stdexcept>
#include <string>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Retries every error and every exception as transient, and the operation may always run again; only programming
/// errors, `std::logic_error` and its derived types, thrown or returned, are final, because they would recur.
///
/// To retry programming errors too: `first_of<retry_on<std::logic_error>, retry_all>`. A server's hint is still heard.
/// Thread cancellation is not an error and is never caught.
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: nothing
/// Cost: none
/// Choose it in a test, or where you know every error that there can be. Not for calls with side effects: retry_info,
/// or idempotent_only<retry_all>.
/// Source: the loop around `catch (...)`; p-retry refuses TypeError in the same way
struct retry_all {
  using role = roles::classifier;
  using catches = catch_list<std::logic_error>;
  static constexpr bool has_an_opinion = true;

  template <class E>
  [[nodiscard]] static constexpr directive classify(E const& error) {
    if constexpr (std::derived_from<E, std::logic_error>) return directive::fail();
    return detail::retry_as_transient(error);
  }
  [[nodiscard]] static std::string describe() { return "retry_all"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
