// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_ATTEMPT_TIMEOUT_HPP
#define ANEW_TEXT_WORDS_ATTEMPT_TIMEOUT_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/attempt_timeout_share.hpp"
#include "anew/text/word_of.hpp"

/// The words of per-attempt timeouts, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct attempt_timeout : word_of<"attempt_timeout", anew::attempt_timeout<run_time>, time<"LIMIT">> {
  using example_type = anew::attempt_timeout<1s>;
};
struct attempt_timeout_share
    : word_of<"attempt_timeout_share", anew::attempt_timeout_share<at_run_time<rational>>, ratio<"SHARE">> {
  using example_type = anew::attempt_timeout_share<rational{1, 2}>;
};

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All timeouts of attempts.
using attempt_timeout_words = vocabulary<words::attempt_timeout, words::attempt_timeout_share>;

}  // namespace anew::inline ANEW_ABI

#endif
