// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_BEAST_WORDS_HPP
#define ANEW_BRIDGES_BEAST_WORDS_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/beast/classifier.hpp"
#include "anew/policies/classifier/http_statuses.hpp"
#include "anew/text/word_of.hpp"
#include "anew/text/words/classifier.hpp"

/// The word of the classifier of Boost.Beast, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct beast : word_of<"beast", anew::beast::classifier<http_statuses>, by<http_status>> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
