// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_MAX_ATTEMPTS_HPP
#define ANEW_TEXT_WORDS_MAX_ATTEMPTS_HPP

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/limits/max_attempts_by_kind.hpp"
#include "anew/policies/limits/max_attempts_by_kind_at_run_time.hpp"
#include "anew/policies/limits/unbounded.hpp"
#include "anew/roles/for_kind.hpp"
#include "anew/text/word_of.hpp"

/// The words of limits of attempts, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

using limits_of_kinds = of_kinds<"LIMIT", max_attempts_by_kind_at_run_time::limit>;
struct max_attempts_by_kind : word_of<"max_attempts_by_kind", max_attempts_by_kind_at_run_time, limits_of_kinds> {
  using example_type = anew::max_attempts_by_kind<for_kind<error_kind::throttling, max_attempts<8>>, max_attempts<3>>;
  static policy_type make(limits_of_kinds::value_type const& kinds) {
    return kinds.added_to(max_attempts_by_kind_at_run_time{kinds.others});
  }
};

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All limits of attempts.
using limit_words = vocabulary<word_of<"max_attempts", max_attempts<3>, arguments::count<"N">>,
                               word_of<"unbounded", unbounded>, words::max_attempts_by_kind>;

}  // namespace anew::inline ANEW_ABI

#endif
