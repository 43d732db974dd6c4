// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_DEADLINE_HPP
#define ANEW_TEXT_WORDS_DEADLINE_HPP

#include <optional>
#include <tuple>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/policies/limits/poll_deadline.hpp"
#include "anew/text/word_of.hpp"

/// The words of deadlines, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

using at_the_end = one_of<option<"stop", at_deadline::stop>, option<"clamp", at_deadline::clamp>,
                          option<"last_try", at_deadline::last_try>>;
struct deadline : word_of<"deadline", anew::deadline<10s>, time<"TOTAL">, maybe<at_the_end>, maybe<time<"RESERVE">>> {
  static auto make(duration total, std::optional<at_deadline> then, std::optional<duration> reserve) {
    return std::tuple{total, then.value_or(at_deadline::stop), reserve.value_or(duration::zero())};
  }
};
struct poll_deadline : word_of<"poll_deadline", anew::poll_deadline<10s>, time<"TOTAL">, maybe<time<"MARGIN">>> {
  static auto make(duration total, std::optional<duration> margin) {
    return std::tuple{total, margin.value_or(duration::zero())};
  }
};

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All deadlines.
using deadline_words = vocabulary<words::deadline, words::poll_deadline>;

}  // namespace anew::inline ANEW_ABI

#endif
