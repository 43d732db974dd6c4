// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BEAST_WORDS_HPP
#define ANEW_BEAST_WORDS_HPP

#include "anew/beast/classifier.hpp"
#include "anew/classifier/http_statuses.hpp"
#include "anew/classifier/words.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word_of.hpp"

/// The word of the classifier of Boost.Beast, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct beast : word_of<"beast", anew::beast::classifier<http_statuses>, by<http_status>> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
