// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_SOURCES_HPP
#define ANEW_TEXT_WORDS_SOURCES_HPP

#include <chrono>
#include <cstdint>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sources/seeded_source.hpp"
#include "anew/policies/sources/std_clock.hpp"
#include "anew/text/word.hpp"
#include "anew/text/word_of.hpp"

/// The words of clocks and random sources, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct steady_clock : word_of<"steady_clock", std_clock<std::chrono::steady_clock>> {};

struct any_seed : written_as<"N"> {
  static std::uint64_t value(word const& w, auto const& /*in*/) { return w.as_whole<std::uint64_t>(); }
};
struct seed : word_of<"seed", seeded_source, any_seed> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
