// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CURL_WORDS_HPP
#define ANEW_CURL_WORDS_HPP

#include "anew/classifier/http_statuses.hpp"
#include "anew/classifier/words.hpp"
#include "anew/curl/classifier.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word_of.hpp"

/// The word of the classifier of libcurl, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct curl : word_of<"curl", anew::curl::classifier<http_statuses>, by<http_status>> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
