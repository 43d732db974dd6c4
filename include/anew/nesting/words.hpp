// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_NESTING_WORDS_HPP
#define ANEW_NESTING_WORDS_HPP

#include <utility>

#include "anew/nesting/nesting_guard.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word.hpp"

/// The words of nesting guards, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

template <when_nested What>
struct nesting_guard_of {
  using policy_type = anew::nesting_guard<What>;
  static constexpr word_form form{"nesting_guard", "nesting_guard(collapse) or nesting_guard(share_quota)", 1, 1};
  static bool accepts(word const& w) {
    return w.size() != 1 || w[0].as_one_of<when_nested>({{"collapse", when_nested::collapse},
                                                         {"share_quota", when_nested::share_quota}}) == What;
  }
  static policy_type read(word const& /*w*/) { return {}; }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
