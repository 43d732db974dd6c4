// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_MAX_ATTEMPTS_HPP
#define ANEW_TEXT_WORDS_MAX_ATTEMPTS_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/run_time_count.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/limits/max_attempts_by_kind_at_run_time.hpp"
#include "anew/policies/limits/unbounded.hpp"
#include "anew/text/word_of.hpp"

/// The words of limits of attempts, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct max_attempts : word_of<"max_attempts", anew::max_attempts<run_time_count>, count<"N">> {};
struct unbounded : word_of<"unbounded", anew::unbounded> {};

using limits_of_kinds = of_kinds<"LIMIT", max_attempts_by_kind_at_run_time::limit>;
struct max_attempts_by_kind : word_of<"max_attempts_by_kind", max_attempts_by_kind_at_run_time, limits_of_kinds> {
  static policy_type make(limits_of_kinds::value_type const& kinds) {
    return kinds.added_to(max_attempts_by_kind_at_run_time{kinds.others});
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
