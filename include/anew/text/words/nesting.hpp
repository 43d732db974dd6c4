// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_NESTING_HPP
#define ANEW_TEXT_WORDS_NESTING_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/text/word_of.hpp"

/// The words of nesting guards, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct collapsing_guard : word_of<"nesting_guard", anew::nesting_guard<when_nested::collapse>, exactly<"collapse">> {};
struct quota_sharing_guard
    : word_of<"nesting_guard", anew::nesting_guard<when_nested::share_quota>, exactly<"share_quota">> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
