// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_MAX_ATTEMPTS_WORDS_HPP
#define ANEW_MAX_ATTEMPTS_WORDS_HPP

#include "anew/max_attempts/attempts_by_kind.hpp"
#include "anew/max_attempts/max_attempts.hpp"
#include "anew/max_attempts/unbounded.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/failure.hpp"
#include "anew/value/word.hpp"

/// The words of limits of attempts, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct max_attempts {
  using policy_type = anew::max_attempts<run_time_count>;
  static constexpr word_form form{"max_attempts", "max_attempts(N)", 1, 1};
  static policy_type read(word const& w) { return policy_type{w[0].as_count()}; }
};
struct unbounded {
  using policy_type = anew::unbounded;
  static constexpr word_form form{"unbounded", "unbounded", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};
struct per_kind_attempts {
  using policy_type = attempts_by_kind;
  static constexpr word_form form{"per_kind_attempts",
                                  "per_kind_attempts(throttling=max_attempts(N),...,max_attempts(N))", 1, 6};
  template <class In>
  static policy_type read(word const& w, In const& in) {
    policy_type made{in.template nested<attempts_by_kind::limit>(w.arguments.back())};
    detail::read_kinds(w, [&](error_kind kind, word const& rule) {
      made.add_for(kind, in.template nested<attempts_by_kind::limit>(rule));
    });
    return made;
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
