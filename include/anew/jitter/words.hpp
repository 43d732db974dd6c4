// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_JITTER_WORDS_HPP
#define ANEW_JITTER_WORDS_HPP

#include "anew/jitter/cap_after_draw.hpp"
#include "anew/jitter/decorrelated.hpp"
#include "anew/jitter/equal.hpp"
#include "anew/jitter/from_first.hpp"
#include "anew/jitter/full.hpp"
#include "anew/jitter/no_jitter.hpp"
#include "anew/jitter/polly_decorrelated.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/jitter/scaled.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/rational.hpp"
#include "anew/value/word_of.hpp"

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
