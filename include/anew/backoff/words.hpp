// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BACKOFF_WORDS_HPP
#define ANEW_BACKOFF_WORDS_HPP

#include <vector>

#include "anew/backoff/nested.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"
#include "anew/value/word.hpp"

/// The words of backoffs, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct no_backoff {
  using policy_type = anew::no_backoff;
  static constexpr word_form form{"no_backoff", "no_backoff", 0, 0};
  static policy_type read(word const& /*w*/) { return {}; }
};
struct constant {
  using policy_type = constant_backoff<run_time>;
  static constexpr word_form form{"constant", "constant(DELAY)", 1, 1};
  static policy_type read(word const& w) { return policy_type{w[0].as_duration()}; }
};
struct exponential {
  using policy_type = exponential_backoff<run_time, run_time, at_run_time<rational>>;
  static constexpr word_form form{"exponential", "exponential(BASE,CAP) or exponential(BASE,CAP,FACTOR)", 2, 3};
  static policy_type read(word const& w) {
    rational by{2};
    if (w.size() == 3) {
      auto const [num, den] = w[2].as_ratio();
      by = rational{num, den};
    }
    return {w[0].as_duration(), w[1].as_duration(), by};
  }
};
struct linear {
  using policy_type = linear_backoff<run_time, run_time, run_time>;
  static constexpr word_form form{"linear", "linear(BASE,CAP) or linear(BASE,CAP,STEP)", 2, 3};
  static policy_type read(word const& w) {
    return {w[0].as_duration(), w[1].as_duration(), w[w.size() == 3 ? 2 : 0].as_duration()};
  }
};
struct fibonacci {
  using policy_type = fibonacci_backoff<run_time, run_time>;
  static constexpr word_form form{"fibonacci", "fibonacci(BASE,CAP)", 2, 2};
  static policy_type read(word const& w) { return {w[0].as_duration(), w[1].as_duration()}; }
};
struct sequence {
  using policy_type = sequence_backoff<run_time>;
  static constexpr word_form form{"sequence", "sequence(DELAY,DELAY,...)", 1, notation_limits::most_arguments};
  static policy_type read(word const& w) {
    std::vector<duration> delays;
    delays.reserve(w.arguments.size());
    for (auto const& one : w.arguments) delays.push_back(one.as_duration());
    return policy_type{delays};
  }
};

struct immediate_first {
  using policy_type = nested_backoff;
  static constexpr word_form form{"immediate_first", "immediate_first(BACKOFF)", 1, 1};
  template <class In>
  static policy_type read(word const& w, In const& in) {
    return nested_backoff::immediate_first(in.template nested<nested_backoff>(w[0]));
  }
};
struct sum {
  using policy_type = nested_backoff;
  static constexpr word_form form{"sum", "sum(BACKOFF,BACKOFF)", 2, 2};
  template <class In>
  static policy_type read(word const& w, In const& in) {
    return nested_backoff::sum(in.template nested<nested_backoff>(w[0]), in.template nested<nested_backoff>(w[1]));
  }
};
struct floor {
  using policy_type = nested_backoff;
  static constexpr word_form form{"floor", "floor(BACKOFF,LEAST)", 2, 2};
  template <class In>
  static policy_type read(word const& w, In const& in) {
    return nested_backoff::floor(in.template nested<nested_backoff>(w[0]), w[1].as_duration());
  }
};
struct headroom {
  using policy_type = nested_backoff;
  static constexpr word_form form{"headroom", "headroom(BACKOFF,FRACTION)", 2, 2};
  template <class In>
  static policy_type read(word const& w, In const& in) {
    auto const [num, den] = w[1].as_ratio();
    return nested_backoff::headroom(in.template nested<nested_backoff>(w[0]), {num, den});
  }
};
struct phased {
  using policy_type = nested_backoff;
  static constexpr word_form form{"phased", "phased(for_first(N,BACKOFF),...,BACKOFF)", 2,
                                  notation_limits::most_arguments};
  template <class In>
  static policy_type read(word const& w, In const& in) {
    auto made = nested_backoff::phased(in.template nested<nested_backoff>(w.arguments.back()));
    for (auto i = w.size() - 1; i-- != 0;) {
      auto const& phase = w[i];
      if (!phase.names("for_first") || phase.size() != 2) {
        phase.refuse(word::quoted(phase.name) + " must be for_first(N,BACKOFF): every phase but the last has an end");
      }
      made.begin_with(phase[0].as_count32(), in.template nested<nested_backoff>(phase[1]));
    }
    return made;
  }
};

struct by_kind {
  using policy_type = nested_backoff;
  static constexpr word_form form{"by_kind", "by_kind(throttling=BACKOFF,...,BACKOFF)", 1, 6};
  template <class In>
  static policy_type read(word const& w, In const& in) {
    auto made = nested_backoff::by_kind(in.template nested<nested_backoff>(w.arguments.back()));
    detail::read_kinds(
        w, [&](error_kind kind, word const& rule) { made.add_for(kind, in.template nested<nested_backoff>(rule)); });
    return made;
  }
};
struct per_kind {
  using policy_type = nested_backoff;
  static constexpr word_form form{"per_kind", "per_kind(throttling=BACKOFF,...,BACKOFF)", 1, 6};
  template <class In>
  static policy_type read(word const& w, In const& in) {
    auto made = nested_backoff::per_kind(in.template nested<nested_backoff>(w.arguments.back()));
    detail::read_kinds(
        w, [&](error_kind kind, word const& rule) { made.add_for(kind, in.template nested<nested_backoff>(rule)); });
    return made;
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
