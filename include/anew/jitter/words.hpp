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
#include "anew/value/at_run_time.hpp"
#include "anew/value/rational.hpp"
#include "anew/value/word_of.hpp"

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
