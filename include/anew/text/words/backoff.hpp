// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_BACKOFF_HPP
#define ANEW_TEXT_WORDS_BACKOFF_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/fixed_text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/backoff/at_least.hpp"
#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/backoff/constant.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/backoff/linear.hpp"
#include "anew/policies/backoff/nested.hpp"
#include "anew/policies/backoff/phased.hpp"
#include "anew/policies/backoff/sequence.hpp"
#include "anew/policies/backoff/sum.hpp"
#include "anew/roles/for_kind.hpp"
#include "anew/text/word.hpp"
#include "anew/text/word_of.hpp"

/// The words of backoffs, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct constant : word_of<"constant", constant_backoff<1s>, time<"DELAY">> {};
struct exponential : word_of<"exponential", exponential_backoff<run_time, run_time, at_run_time<rational>>,
                             time<"BASE">, time<"CAP">, maybe<ratio<"FACTOR">, rational{2}>> {
  using example_type = exponential_backoff<>;
};
struct linear : word_of<"linear", linear_backoff<100ms, 10s, 7ms>, time<"BASE">, time<"CAP">, maybe<time<"STEP">>> {
  static auto make(duration base, duration cap, std::optional<duration> step) {
    return std::tuple{base, cap, step.value_or(base)};
  }
};
struct fibonacci : word_of<"fibonacci", fibonacci_backoff<100ms, 10s>, time<"BASE">, time<"CAP">> {};
struct sequence : word_of<"sequence", sequence_backoff<run_time>, many<time<"DELAY">>> {
  using example_type = sequence_backoff<10ms, 50ms, 1s>;
};

using any_backoff = policy<"BACKOFF", nested_backoff>;
template <fixed_text Name, class... Arguments>
struct nesting : word_of<Name, nested_backoff, Arguments...> {
  static std::string fault_of(auto const&... parts) { return nested_backoff::fault_of(parts...); }
};
struct immediate_first : nesting<"immediate_first", any_backoff> {
  using example_type = anew::immediate_first<exponential_backoff<>>;
  static policy_type make(nested_backoff const& b) { return nested_backoff::immediate_first(b); }
};
struct sum : nesting<"sum", any_backoff, any_backoff> {
  using example_type = sum_backoff<immediate_first::example_type, constant_backoff<1s>>;
  static policy_type make(nested_backoff const& a, nested_backoff const& b) { return nested_backoff::sum(a, b); }
};
struct at_least : nesting<"at_least", any_backoff, time<"LEAST">> {
  using example_type = at_least_backoff<immediate_first::example_type, 2s>;
  static policy_type make(nested_backoff const& b, duration least) { return nested_backoff::at_least(b, least); }
};
struct raised_cap : nesting<"raised_cap", any_backoff, ratio<"FRACTION">> {
  using example_type = raised_cap_backoff<immediate_first::example_type, rational{1, 5}>;
  static policy_type make(nested_backoff const& b, rational room) { return nested_backoff::raised_cap(b, room); }
};
struct for_first : word_of<"for_first", std::pair<std::uint32_t, nested_backoff>, count32<"N">, any_backoff> {
  static std::string fault_of(std::uint32_t retries, nested_backoff const& b) {
    return decltype(anew::for_first{retries, b})::fault_of(retries, b);
  }
};
struct phased : nesting<"phased", all_but_the_last<by<for_first>>, any_backoff> {
  using example_type = phased_backoff<anew::for_first<3, anew::no_backoff>, immediate_first::example_type>;
  static policy_type make(std::vector<for_first::policy_type> const& phases, nested_backoff const& last) {
    return nested_backoff::phased(phases, last);
  }
};

using backoffs_of_kinds = of_kinds<"BACKOFF", nested_backoff>;
template <fixed_text Name>
struct nesting_by_kind : word_of<Name, nested_backoff, backoffs_of_kinds> {
  static std::string fault_of(backoffs_of_kinds::value_type const& kinds) {
    return nested_backoff::fault_of(kinds.of_kind, kinds.others);
  }
};
struct by_kind : nesting_by_kind<"by_kind"> {
  using example_type =
      by_kind_backoff<for_kind<error_kind::throttling, immediate_first::example_type>, immediate_first::example_type>;
  static policy_type make(backoffs_of_kinds::value_type const& kinds) {
    return nested_backoff::by_kind(kinds.of_kind, kinds.others);
  }
};
struct counted_by_kind : nesting_by_kind<"counted_by_kind"> {
  using example_type = counted_by_kind_backoff<for_kind<error_kind::throttling, immediate_first::example_type>,
                                               immediate_first::example_type>;
  static policy_type make(backoffs_of_kinds::value_type const& kinds) {
    return nested_backoff::counted_by_kind(kinds.of_kind, kinds.others);
  }
};

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All backoffs.
using backoff_words = vocabulary<word_of<"no_backoff", no_backoff>, words::constant, words::exponential, words::linear,
                                 words::fibonacci, words::sequence, words::phased, words::immediate_first, words::sum,
                                 words::at_least, words::raised_cap, words::by_kind, words::counted_by_kind>;

}  // namespace anew::inline ANEW_ABI

#endif
