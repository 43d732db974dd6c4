// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_WORDS_HPP
#define ANEW_BRIDGES_CURL_WORDS_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/curl/classifier.hpp"
#include "anew/policies/classifier/http_statuses.hpp"
#include "anew/text/word_of.hpp"
#include "anew/text/words/classifier.hpp"

/// The word of the classifier of libcurl, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct curl : word_of<"curl", anew::curl::classifier<http_statuses>, by<http_status>> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
