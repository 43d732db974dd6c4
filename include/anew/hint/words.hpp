// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HINT_WORDS_HPP
#define ANEW_HINT_WORDS_HPP

#include "anew/backoff/exponential.hpp"
#include "anew/hint/clamped.hpp"
#include "anew/hint/jittered.hpp"
#include "anew/hint/pushback.hpp"
#include "anew/hint/server.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word.hpp"

/// The words of hints, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct server_hint {
  using policy_type = anew::server_hint<long_hint::stop, run_time>;
  static constexpr word_form form{
      "server_hint", "server_hint(stop), server_hint(clamp) or server_hint(ignore), each with ,LONGEST", 1, 2};
  static policy_type read(word const& w) {
    auto const then = w[0].as_one_of<long_hint>(
        {{"stop", long_hint::stop}, {"clamp", long_hint::clamp}, {"ignore", long_hint::ignore}});
    return w.size() == 1 ? policy_type{then} : policy_type{then, w[1].as_duration()};
  }
};
struct clamped_hint {
  using policy_type = anew::clamped_hint<run_time>;
  static constexpr word_form form{"clamped_hint", "clamped_hint(OVERSHOOT)", 1, 1};
  static policy_type read(word const& w) { return policy_type{w[0].as_duration()}; }
};
struct pushback_hint {
  using policy_type = anew::pushback_hint<run_time>;
  static constexpr word_form form{"pushback_hint", "pushback_hint(LONGEST)", 1, 1};
  static policy_type read(word const& w) { return policy_type{w[0].as_duration()}; }
};
template <class Inner>
struct jittered_hint_of {
  using policy_type = anew::jittered_hint<at_run_time<rational>, typename Inner::policy_type>;
  static constexpr word_form form{"jittered_hint", "jittered_hint(1/2,server_hint(stop))", 2, 2};
  static bool accepts(word const& w) { return w.size() != 2 || w[1].name == Inner::form.name; }
  template <class In>
  static policy_type read(word const& w, In const& in) {
    auto const [num, den] = w[0].as_ratio();
    return policy_type{rational{num, den}, in.template nested<typename Inner::policy_type>(w[1])};
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
