// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_JITTER_HPP
#define ANEW_TEXT_WORDS_JITTER_HPP

#include "anew/base/at_run_time.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/policies/jitter/cap_after_draw.hpp"
#include "anew/policies/jitter/decorrelated.hpp"
#include "anew/policies/jitter/equal.hpp"
#include "anew/policies/jitter/from_first.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/jitter/no_jitter.hpp"
#include "anew/policies/jitter/polly_decorrelated.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/policies/jitter/scaled.hpp"
#include "anew/text/word_of.hpp"

/// The words of jitters, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct full_jitter : word_of<"full_jitter", anew::full_jitter> {};
struct no_jitter : word_of<"no_jitter", anew::no_jitter> {};
struct equal_jitter : word_of<"equal_jitter", anew::equal_jitter> {};
struct decorrelated_jitter : word_of<"decorrelated_jitter", anew::decorrelated_jitter> {};
struct cap_after_draw_jitter : word_of<"cap_after_draw_jitter", anew::cap_after_draw_jitter> {};
struct polly_decorrelated_jitter : word_of<"polly_decorrelated_jitter", anew::polly_decorrelated_jitter> {};
struct from_first_jitter : word_of<"from_first_jitter", anew::from_first_jitter> {};
struct proportional_jitter
    : word_of<"proportional_jitter", anew::proportional_jitter<at_run_time<rational>>, ratio<"FRACTION">> {};
struct scaled_jitter : word_of<"scaled_jitter", anew::scaled_jitter<at_run_time<rational>, at_run_time<rational>>,
                               ratio<"LOW">, ratio<"HIGH">> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
