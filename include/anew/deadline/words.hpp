// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DEADLINE_WORDS_HPP
#define ANEW_DEADLINE_WORDS_HPP

#include "anew/deadline/deadline.hpp"
#include "anew/deadline/max_wait.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/word.hpp"

/// The words of deadlines, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct deadline {
  using policy_type = anew::deadline<run_time, at_deadline::stop, run_time>;
  static constexpr word_form form{"deadline", "deadline(TOTAL), with ,clamp or ,last_try and ,RESERVE behind it", 1, 3};
  static policy_type read(word const& w) {
    auto then = at_deadline::stop;
    auto reserve = duration::zero();
    bool const has_reserve = w.size() == 3 || (w.size() == 2 && word::read_duration(w[1].name));
    if (w.size() == 3 || (w.size() == 2 && !has_reserve)) {
      then = w[1].as_one_of<at_deadline>(
          {{"stop", at_deadline::stop}, {"clamp", at_deadline::clamp}, {"last_try", at_deadline::last_try}});
    }
    if (has_reserve) reserve = w.arguments.back().as_duration();
    return policy_type{w[0].as_duration(), then, reserve};
  }
};
struct max_wait {
  using policy_type = anew::max_wait<run_time, run_time>;
  static constexpr word_form form{"max_wait", "max_wait(TOTAL) or max_wait(TOTAL,MARGIN)", 1, 2};
  static policy_type read(word const& w) {
    return policy_type{w[0].as_duration(), w.size() == 2 ? w[1].as_duration() : duration::zero()};
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
