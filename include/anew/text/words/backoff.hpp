// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_BACKOFF_HPP
#define ANEW_TEXT_WORDS_BACKOFF_HPP

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "anew/base/at_run_time.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/backoff/nested.hpp"
#include "anew/text/word.hpp"
#include "anew/text/word_of.hpp"

/// The words of backoffs, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct no_backoff : word_of<"no_backoff", anew::no_backoff> {};
struct constant : word_of<"constant", constant_backoff<run_time>, time<"DELAY">> {};
struct exponential : word_of<"exponential", exponential_backoff<run_time, run_time, at_run_time<rational>>,
                             time<"BASE">, time<"CAP">, maybe<ratio<"FACTOR">>> {
  static policy_type make(duration base, duration cap, std::optional<rational> factor) {
    return {base, cap, factor.value_or(rational{2})};
  }
};
struct linear
    : word_of<"linear", linear_backoff<run_time, run_time, run_time>, time<"BASE">, time<"CAP">, maybe<time<"STEP">>> {
  static policy_type make(duration base, duration cap, std::optional<duration> step) {
    return {base, cap, step.value_or(base)};
  }
};
struct fibonacci : word_of<"fibonacci", fibonacci_backoff<run_time, run_time>, time<"BASE">, time<"CAP">> {};
struct sequence : word_of<"sequence", sequence_backoff<run_time>, many<time<"DELAY">>> {};

using any_backoff = policy<"BACKOFF", nested_backoff>;
struct immediate_first : word_of<"immediate_first", nested_backoff, any_backoff> {
  static policy_type make(nested_backoff const& b) { return nested_backoff::immediate_first(b); }
};
struct sum : word_of<"sum", nested_backoff, any_backoff, any_backoff> {
  static policy_type make(nested_backoff const& a, nested_backoff const& b) { return nested_backoff::sum(a, b); }
};
struct at_least : word_of<"at_least", nested_backoff, any_backoff, time<"LEAST">> {
  static policy_type make(nested_backoff const& b, duration least) { return nested_backoff::at_least(b, least); }
};
struct raised_cap : word_of<"raised_cap", nested_backoff, any_backoff, ratio<"FRACTION">> {
  static policy_type make(nested_backoff const& b, rational room) { return nested_backoff::raised_cap(b, room); }
};
struct for_first : word_of<"for_first", std::pair<std::uint32_t, nested_backoff>, count32<"N">, any_backoff> {};
struct phased : word_of<"phased", nested_backoff, all_but_the_last<by<for_first>>, any_backoff> {
  static policy_type make(std::vector<for_first::policy_type> const& phases, nested_backoff const& last) {
    auto made = nested_backoff::phased(last);
    for (auto left = phases.size(); left != 0; --left) made.begin_with(phases[left - 1].first, phases[left - 1].second);
    return made;
  }
};

using backoffs_of_kinds = of_kinds<"BACKOFF", nested_backoff>;
struct by_kind : word_of<"by_kind", nested_backoff, backoffs_of_kinds> {
  static policy_type make(backoffs_of_kinds::value_type const& kinds) {
    return kinds.added_to(nested_backoff::by_kind(kinds.others));
  }
};
struct counted_by_kind : word_of<"counted_by_kind", nested_backoff, backoffs_of_kinds> {
  static policy_type make(backoffs_of_kinds::value_type const& kinds) {
    return kinds.added_to(nested_backoff::counted_by_kind(kinds.others));
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
