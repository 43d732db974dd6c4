// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_RESET_HPP
#define ANEW_TEXT_WORDS_RESET_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/limits/reset_after.hpp"
#include "anew/text/word_of.hpp"

/// The word of resets, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct reset_after : word_of<"reset_after", anew::reset_after<run_time>, time<"STABLE">> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
