// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CLASSIFIER_WORDS_HPP
#define ANEW_CLASSIFIER_WORDS_HPP

#include "anew/classifier/retry_all.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word.hpp"

/// The words of classifiers that read every kind of error, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct retry_all {
  using policy_type = anew::retry_all;
  static constexpr word_form form{"retry_all", "retry_all", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
