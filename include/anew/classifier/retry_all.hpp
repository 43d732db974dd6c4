// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CLASSIFIER_RETRY_ALL_HPP
#define ANEW_CLASSIFIER_RETRY_ALL_HPP

#include <string>

#include "anew/directive.hpp"
#include "anew/failure.hpp"
#include "anew/roles.hpp"

namespace anew {

/// Every error is transient, every exception too, and the operation may always run again.
///
/// A server's hint is still heard. Thread cancellation is not an error and is never caught.
///
/// Models: Classifier (empty)      Cost: none
/// Choose it in a test, or where you know every error that there can be. Not for calls with side effects, and not where
/// a programming error may be thrown: it would be made again and again.
struct retry_all {
  using role = roles::classifier;

  template <class E>
  [[nodiscard]] static constexpr directive classify(E const& error) {
    if constexpr (SaysWhetherToRetry<E>) {
      return directive::retry(error_kind::transient, read_failure(error).hint);
    } else {
      return directive::retry(error_kind::transient);
    }
  }
  [[nodiscard]] static std::string describe() { return "retry_all"; }
};

}  // namespace anew

#endif
