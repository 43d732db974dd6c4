// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RANDOM_SOURCE_WORDS_HPP
#define ANEW_RANDOM_SOURCE_WORDS_HPP

#include <cstdint>

#include "anew/platform/compiler.hpp"
#include "anew/random_source/seeded_source.hpp"
#include "anew/value/word.hpp"
#include "anew/value/word_of.hpp"

/// The word of random sources, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct any_seed : named<"N"> {
  static std::uint64_t value(word const& w, auto const& /*in*/) { return w.as_seed(); }
};
struct seed : word_of<"seed", seeded_source, any_seed> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
