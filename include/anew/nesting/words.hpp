// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_NESTING_WORDS_HPP
#define ANEW_NESTING_WORDS_HPP

#include "anew/nesting/nesting_guard.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word_of.hpp"

/// The words of nesting guards, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct collapsing_guard : word_of<"nesting_guard", anew::nesting_guard<when_nested::collapse>, exactly<"collapse">> {};
struct quota_sharing_guard
    : word_of<"nesting_guard", anew::nesting_guard<when_nested::share_quota>, exactly<"share_quota">> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
