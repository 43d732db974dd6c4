// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RESET_WORDS_HPP
#define ANEW_RESET_WORDS_HPP

#include "anew/platform/compiler.hpp"
#include "anew/reset/reset_after.hpp"
#include "anew/value/word.hpp"

/// The word of resets, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct reset_after {
  using policy_type = anew::reset_after<run_time>;
  static constexpr word_form form{"reset_after", "reset_after(STABLE)", 1, 1};
  static policy_type read(word const& w) { return policy_type{w[0].as_duration()}; }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
