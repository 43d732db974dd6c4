// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DEADLINE_WORDS_HPP
#define ANEW_DEADLINE_WORDS_HPP

#include <optional>

#include "anew/deadline/deadline.hpp"
#include "anew/deadline/max_wait.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/run_time.hpp"
#include "anew/value/word_of.hpp"

/// The words of deadlines, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

using at_the_end = one_of<option<"stop", at_deadline::stop>, option<"clamp", at_deadline::clamp>,
                          option<"last_try", at_deadline::last_try>>;
struct deadline : word_of<"deadline", anew::deadline<10s>, time<"TOTAL">, maybe<at_the_end>, maybe<time<"RESERVE">>> {
  static policy_type make(duration total, std::optional<at_deadline> then, std::optional<duration> reserve) {
    return policy_type{total, then.value_or(at_deadline::stop), reserve.value_or(duration::zero())};
  }
};
struct max_wait : word_of<"max_wait", anew::max_wait<10s>, time<"TOTAL">, maybe<time<"MARGIN">>> {
  static policy_type make(duration total, std::optional<duration> margin) {
    return policy_type{total, margin.value_or(duration::zero())};
  }
};

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All deadlines.
using deadline_words = vocabulary<words::deadline, words::max_wait>;

}  // namespace anew::inline ANEW_ABI

#endif
