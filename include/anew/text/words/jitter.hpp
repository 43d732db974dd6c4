// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_JITTER_HPP
#define ANEW_TEXT_WORDS_JITTER_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/policies/jitter/cap_after_draw.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/text/word_of.hpp"

namespace anew::inline ANEW_ABI {

/// All jitters.
using jitter_words =
    vocabulary<word_of<"full_jitter", full_jitter>, word_of<"no_jitter", no_jitter>,
               word_of<"equal_jitter", equal_jitter>, word_of<"decorrelated_jitter", decorrelated_jitter>,
               word_of<"proportional_jitter", proportional_jitter<rational{1, 5}>, arguments::ratio<"FRACTION">>,
               word_of<"cap_after_draw_jitter", cap_after_draw_jitter>,
               word_of<"polly_decorrelated_jitter", polly_decorrelated_jitter>,
               word_of<"from_first_jitter", from_first_jitter>,
               word_of<"scaled_jitter", scaled_jitter<rational{4, 5}, rational{13, 10}>, arguments::ratio<"LOW">,
                       arguments::ratio<"HIGH">>>;

}  // namespace anew::inline ANEW_ABI

#endif
