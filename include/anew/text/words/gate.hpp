// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_GATE_HPP
#define ANEW_TEXT_WORDS_GATE_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/backoff/nested.hpp"
#include "anew/policies/gate/adaptive_concurrency.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/client_throttle.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/gate/max_concurrency.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/text/word_of.hpp"

/// The words of gates, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

struct circuit_breaker : word_of<"circuit_breaker", anew::circuit_breaker<run_time_count, run_time, run_time_count>,
                                 count<"FAILURES">, time<"OPEN_FOR">, maybe<count<"PROBES">, 1>> {
  using example_type = anew::circuit_breaker<>;
};
struct rate_breaker
    : word_of<"rate_breaker", anew::rate_breaker<run_time_count, run_time, run_time_count, run_time, run_time_count>,
              count<"PERCENT", "%">, time<"WINDOW">, count<"MIN_VOLUME">, time<"OPEN_FOR">, maybe<count<"PROBES">, 1>> {
  using example_type = anew::rate_breaker<>;
};
struct client_throttle
    : word_of<"client_throttle", anew::client_throttle<at_run_time<rational>, run_time>, ratio<"K">, time<"WINDOW">> {
  using example_type = anew::client_throttle<>;
};
struct max_concurrency : word_of<"max_concurrency", anew::max_concurrency<run_time_count>, count<"MOST">> {
  using example_type = anew::max_concurrency<100>;
};
struct adaptive_concurrency
    : word_of<"adaptive_concurrency", anew::adaptive_concurrency<run_time_count, run_time, run_time_count>,
              count<"MOST">, time<"SLOW">, maybe<count<"LEAST">, 1>> {
  using example_type = anew::adaptive_concurrency<200, std::chrono::milliseconds{250}>;
};
template <when_cooling Then, class... More>
struct cool_down_that : word_of<"cool_down", anew::cool_down<nested_backoff, Then, run_time_count, run_time>,
                                policy<"BACKOFF", nested_backoff>, More...> {
  using example_type = anew::cool_down<exponential_backoff<>, Then>;
  static auto make(nested_backoff by, std::optional<std::int64_t> ignored, std::optional<duration> longest = {}) {
    return std::tuple{std::move(by), ignored.value_or(0), longest.value_or(duration::max())};
  }
};
using cool_down_that_refuses = cool_down_that<when_cooling::refuse, exactly<"refuse">, keyed<"ignored", count<"N">>>;
using cool_down_that_waits =
    cool_down_that<when_cooling::wait, keyed<"ignored", count<"N">>, keyed<"longest_wait", time<"LONGEST">>>;

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All gates, but those that are striped.
using gate_words =
    vocabulary<words::circuit_breaker, words::rate_breaker, words::client_throttle, words::max_concurrency,
               words::adaptive_concurrency, words::cool_down_that_refuses, words::cool_down_that_waits>;

}  // namespace anew::inline ANEW_ABI

#endif
