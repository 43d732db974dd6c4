// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_HINT_HPP
#define ANEW_TEXT_WORDS_HINT_HPP

#include <optional>
#include <tuple>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/hint/jittered.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/text/word_of.hpp"

/// The words of hints, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

using when_too_long =
    one_of<option<"stop", long_hint::stop>, option<"clamp", long_hint::clamp>, option<"ignore", long_hint::ignore>>;
struct server_hint : word_of<"server_hint", anew::server_hint<long_hint::stop, run_time>, when_too_long,
                             maybe<time<"LONGEST">, anew::detail::longest_hint.nanoseconds>> {
  using example_type = anew::server_hint<>;
};
struct clamped_hint : word_of<"clamped_hint", anew::clamped_hint<>, time<"OVERSHOOT">> {};
struct pushback_hint : word_of<"pushback_hint", anew::pushback_hint<>, time<"LONGEST">> {};
template <class Inner>
struct jittered_hint_of
    : word_of<"jittered_hint", anew::jittered_hint<at_run_time<rational>, typename Inner::policy_type>,
              ratio<"FRACTION">, by<Inner>> {
  using example_type = anew::jittered_hint<rational{1, 2}, typename Inner::example_type>;
};

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All hints.
using hint_words = vocabulary<words::server_hint, words::clamped_hint, words::pushback_hint,
                              words::jittered_hint_of<words::server_hint>, words::jittered_hint_of<words::clamped_hint>,
                              words::jittered_hint_of<words::pushback_hint>>;

}  // namespace anew::inline ANEW_ABI

#endif
