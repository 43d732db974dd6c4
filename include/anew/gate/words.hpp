// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GATE_WORDS_HPP
#define ANEW_GATE_WORDS_HPP

#include <cstdint>

#include "anew/backoff/nested.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/gate/cool_down.hpp"
#include "anew/gate/rate_breaker.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/word.hpp"

/// The words of gates, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct circuit_breaker {
  using policy_type = anew::circuit_breaker<run_time_count, run_time, run_time_count>;
  static constexpr word_form form{
      "circuit_breaker", "circuit_breaker(FAILURES,OPEN_FOR) or circuit_breaker(FAILURES,OPEN_FOR,PROBES)", 2, 3};
  static policy_type read(word const& w) {
    return {w[0].as_count(), w[1].as_duration(), w.size() == 3 ? w[2].as_count() : 1};
  }
};
struct rate_breaker {
  using policy_type = anew::rate_breaker<run_time_count, run_time, run_time_count, run_time, run_time_count>;
  static constexpr word_form form{"rate_breaker",
                                  "rate_breaker(PERCENT,WINDOW,MIN_VOLUME,OPEN_FOR), with ,PROBES behind it", 4, 5};
  static policy_type read(word const& w) {
    return {w[0].as_count("%"), w[1].as_duration(), w[2].as_count(), w[3].as_duration(),
            w.size() == 5 ? w[4].as_count() : 1};
  }
};
template <when_cooling Then>
struct cool_down_of {
  using policy_type = anew::cool_down<nested_backoff, Then, run_time_count, run_time>;
  static constexpr word_form form{
      "cool_down", "cool_down(BACKOFF), with ,refuse and ,ignored=N and ,longest_wait=5s behind it", 1, 4};
  static bool accepts(word const& w) {
    return (w.size() > 1 && w[1].names("refuse")) == (Then == when_cooling::refuse);
  }
  template <class In>
  static policy_type read(word const& w, In const& in) {
    w.expect_keys({"ignored", "longest_wait"});
    if (w.without_key() > (Then == when_cooling::refuse ? 2U : 1U)) {
      w[w.without_key() - 1].refuse(word::quoted(w[w.without_key() - 1].all) +
                                    " must be refuse, ignored=N or longest_wait=5s");
    }
    auto const ignored = w.with_key("ignored");
    auto const longest = w.with_key("longest_wait");
    return {in.template nested<nested_backoff>(w[0]), ignored ? ignored->as_count() : 0,
            longest ? longest->as_duration() : duration::max()};
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
