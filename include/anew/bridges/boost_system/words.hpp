// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_BOOST_SYSTEM_WORDS_HPP
#define ANEW_BRIDGES_BOOST_SYSTEM_WORDS_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/boost_system/classifier.hpp"
#include "anew/text/word_of.hpp"
#include "anew/text/words/classifier.hpp"

/// The word of the classifier of Boost.System, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

/// Reads what `Word` is inside: `boost_system<error_code>` reads "boost_system(error_code)".
template <class Word = error_code>
struct boost_system : word_of<"boost_system", anew::boost_system::classifier<typename Word::policy_type>, by<Word>> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
