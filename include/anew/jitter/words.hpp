// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_JITTER_WORDS_HPP
#define ANEW_JITTER_WORDS_HPP

#include "anew/jitter/cap_after_draw.hpp"
#include "anew/jitter/decorrelated.hpp"
#include "anew/jitter/equal.hpp"
#include "anew/jitter/from_first.hpp"
#include "anew/jitter/full.hpp"
#include "anew/jitter/no_jitter.hpp"
#include "anew/jitter/polly_decorrelated.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/jitter/scaled.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word.hpp"

/// The words of jitters, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct full_jitter {
  using policy_type = anew::full_jitter;
  static constexpr word_form form{"full_jitter", "full_jitter", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};
struct no_jitter {
  using policy_type = anew::no_jitter;
  static constexpr word_form form{"no_jitter", "no_jitter", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};
struct equal_jitter {
  using policy_type = anew::equal_jitter;
  static constexpr word_form form{"equal_jitter", "equal_jitter", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};
struct decorrelated_jitter {
  using policy_type = anew::decorrelated_jitter;
  static constexpr word_form form{"decorrelated_jitter", "decorrelated_jitter", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};
struct cap_after_draw_jitter {
  using policy_type = anew::cap_after_draw_jitter;
  static constexpr word_form form{"cap_after_draw_jitter", "cap_after_draw_jitter", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};
struct polly_decorrelated_jitter {
  using policy_type = anew::polly_decorrelated_jitter;
  static constexpr word_form form{"polly_decorrelated_jitter", "polly_decorrelated_jitter", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};
struct from_first_jitter {
  using policy_type = anew::from_first_jitter;
  static constexpr word_form form{"from_first_jitter", "from_first_jitter", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};
struct proportional_jitter {
  using policy_type = anew::proportional_jitter<at_run_time<rational>>;
  static constexpr word_form form{"proportional_jitter", "proportional_jitter(FRACTION)", 1, 1};
  static policy_type read(word const& w) {
    auto const [num, den] = w[0].as_ratio();
    return policy_type{rational{num, den}};
  }
};
struct scaled_jitter {
  using policy_type = anew::scaled_jitter<at_run_time<rational>, at_run_time<rational>>;
  static constexpr word_form form{"scaled_jitter", "scaled_jitter(LOW,HIGH)", 2, 2};
  static policy_type read(word const& w) {
    auto const [low_num, low_den] = w[0].as_ratio();
    auto const [high_num, high_den] = w[1].as_ratio();
    return policy_type{rational{low_num, low_den}, rational{high_num, high_den}};
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
