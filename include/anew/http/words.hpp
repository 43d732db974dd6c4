// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HTTP_WORDS_HPP
#define ANEW_HTTP_WORDS_HPP

#include "anew/classifier/http_statuses.hpp"
#include "anew/classifier/words.hpp"
#include "anew/http/classifier.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word_of.hpp"

/// The word of the classifier of HTTP clients, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct http : word_of<"http", anew::http::classifier<http_statuses>, by<http_status>> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
