// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_MAX_ATTEMPTS_WORDS_HPP
#define ANEW_MAX_ATTEMPTS_WORDS_HPP

#include "anew/concept/for_kind.hpp"
#include "anew/max_attempts/attempts_by_kind.hpp"
#include "anew/max_attempts/max_attempts.hpp"
#include "anew/max_attempts/per_kind_attempts.hpp"
#include "anew/max_attempts/unbounded.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/failure.hpp"
#include "anew/value/run_time_count.hpp"
#include "anew/value/word_of.hpp"

/// The words of limits of attempts, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

using limits_of_kinds = of_kinds<"LIMIT", attempts_by_kind::limit>;
struct per_kind_attempts : word_of<"per_kind_attempts", attempts_by_kind, limits_of_kinds> {
  using example_type = anew::per_kind_attempts<for_kind<error_kind::throttling, max_attempts<8>>, max_attempts<3>>;
  static policy_type make(limits_of_kinds::value_type const& kinds) {
    return kinds.added_to(attempts_by_kind{kinds.others});
  }
};

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All limits of attempts.
using limit_words = vocabulary<word_of<"max_attempts", max_attempts<3>, arguments::count<"N">>,
                               word_of<"unbounded", unbounded>, words::per_kind_attempts>;

}  // namespace anew::inline ANEW_ABI

#endif
