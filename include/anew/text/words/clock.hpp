// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_CLOCK_HPP
#define ANEW_TEXT_WORDS_CLOCK_HPP

#include <chrono>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sources/std_clock.hpp"
#include "anew/text/word_of.hpp"

/// The word of clocks, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct steady_clock : word_of<"steady_clock", std_clock<std::chrono::steady_clock>> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
