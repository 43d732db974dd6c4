// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CLOCK_WORDS_HPP
#define ANEW_CLOCK_WORDS_HPP

#include <chrono>

#include "anew/clock/std_clock.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word_of.hpp"

/// The word of clocks, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct steady_clock : word_of<"steady_clock", std_clock<std::chrono::steady_clock>> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
