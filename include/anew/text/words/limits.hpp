// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_LIMITS_HPP
#define ANEW_TEXT_WORDS_LIMITS_HPP

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/limits/max_attempts_by_kind.hpp"
#include "anew/policies/limits/poll_deadline.hpp"
#include "anew/policies/limits/reset_after.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/roles/for_kind.hpp"
#include "anew/text/word_of.hpp"

/// The words of what limits a call, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

using limits_of_kinds = of_kinds<"LIMIT", max_attempts_by_kind_at_run_time::limit>;
struct max_attempts_by_kind : word_of<"max_attempts_by_kind", max_attempts_by_kind_at_run_time, limits_of_kinds> {
  using example_type = anew::max_attempts_by_kind<for_kind<error_kind::throttling, max_attempts<8>>, max_attempts<3>>;
  static policy_type make(limits_of_kinds::value_type const& kinds) {
    return max_attempts_by_kind_at_run_time{kinds.of_kind, kinds.others};
  }
};

using at_the_end = one_of<option<"stop", at_deadline::stop>, option<"clamp", at_deadline::clamp>,
                          option<"last_try", at_deadline::last_try>>;
struct deadline : word_of<"deadline", anew::deadline<10s>, time<"TOTAL">, maybe<at_the_end, at_deadline::stop>,
                          maybe<time<"RESERVE">, 0>> {};
struct poll_deadline : word_of<"poll_deadline", anew::poll_deadline<10s>, time<"TOTAL">, maybe<time<"MARGIN">, 0>> {};

struct attempt_timeout : word_of<"attempt_timeout", anew::attempt_timeout<run_time>, time<"LIMIT">> {
  using example_type = anew::attempt_timeout<1s>;
};
struct attempt_timeout_share
    : word_of<"attempt_timeout_share", anew::attempt_timeout_share<at_run_time<rational>>, ratio<"SHARE">> {
  using example_type = anew::attempt_timeout_share<rational{1, 2}>;
};

struct reset_after : word_of<"reset_after", anew::reset_after<run_time>, time<"STABLE">> {
  using example_type = anew::reset_after<30s>;
};

struct collapsing_guard : word_of<"nesting_guard", anew::nesting_guard<when_nested::collapse>, exactly<"collapse">> {};
struct quota_sharing_guard
    : word_of<"nesting_guard", anew::nesting_guard<when_nested::share_quota>, exactly<"share_quota">> {};

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All limits of attempts.
using limit_words = vocabulary<word_of<"max_attempts", max_attempts<3>, arguments::count<"N">>,
                               word_of<"unbounded", unbounded>, words::max_attempts_by_kind>;

/// All deadlines.
using deadline_words = vocabulary<words::deadline, words::poll_deadline>;

/// All timeouts of attempts.
using attempt_timeout_words = vocabulary<words::attempt_timeout, words::attempt_timeout_share>;

/// All resets.
using reset_words = vocabulary<words::reset_after>;

}  // namespace anew::inline ANEW_ABI

#endif
