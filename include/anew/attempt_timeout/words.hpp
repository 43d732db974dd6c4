// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ATTEMPT_TIMEOUT_WORDS_HPP
#define ANEW_ATTEMPT_TIMEOUT_WORDS_HPP

#include "anew/attempt_timeout/attempt_timeout.hpp"
#include "anew/attempt_timeout/attempt_timeout_share.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word.hpp"

/// The words of per-attempt timeouts, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct attempt_timeout {
  using policy_type = anew::attempt_timeout<run_time>;
  static constexpr word_form form{"attempt_timeout", "attempt_timeout(LIMIT)", 1, 1};
  static policy_type read(word const& w) { return policy_type{w[0].as_duration()}; }
};
struct attempt_timeout_share {
  using policy_type = anew::attempt_timeout_share<at_run_time<rational>>;
  static constexpr word_form form{"attempt_timeout_share", "attempt_timeout_share(1/2)", 1, 1};
  static policy_type read(word const& w) {
    auto const [num, den] = w[0].as_ratio();
    return policy_type{rational{num, den}};
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
