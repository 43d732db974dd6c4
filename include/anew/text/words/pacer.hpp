// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_PACER_HPP
#define ANEW_TEXT_WORDS_PACER_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/run_time.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/rate_limit.hpp"
#include "anew/policies/pacer/rate_limiter_constants.hpp"
#include "anew/text/word_of.hpp"

/// The words of pacers, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

template <when_limited Then, class... Refuse>
struct rate_limiter_that
    : word_of<"client_rate_limiter", anew::client_rate_limiter<Then, at_run_time<rate_limiter_constants>>, Refuse...,
              keyed<"beta", number<"X">>, keyed<"scale", number<"X">>, keyed<"smooth", number<"X">>,
              keyed<"min_fill_rate", number<"X">>, keyed<"min_capacity", number<"X">>,
              keyed<"longest_queue", number<"X">>, keyed<"longest_wait", number<"X">>> {
  using example_type = anew::client_rate_limiter<Then>;
  static auto make(auto const&... given) {
    rate_limiter_constants c{};
    double* const all[] = {&c.beta,         &c.scale,         &c.smooth,      &c.min_fill_rate,
                           &c.min_capacity, &c.longest_queue, &c.longest_wait};
    std::size_t at = 0;
    (static_cast<void>(*all[at] = given.value_or(*all[at]), ++at), ...);
    return std::tuple{c};
  }
};
using rate_limiter_that_fails = rate_limiter_that<when_limited::fail_fast, exactly<"fail_fast">>;
using rate_limiter_that_waits = rate_limiter_that<when_limited::wait>;
struct rate_limit : word_of<"rate_limit", anew::rate_limit<run_time_count, run_time>, count<"N">, time<"PER">,
                            maybe<count<"BURST">>, maybe<time<"LONGEST">>> {
  using example_type = anew::rate_limit<100, std::chrono::seconds{1}, 10>;
  static auto make(std::int64_t n, duration per, std::optional<std::int64_t> burst, std::optional<duration> longest) {
    return std::tuple{n, per, burst.value_or(n), longest.value_or(per)};
  }
};

}  // namespace anew::inline ANEW_ABI::words

namespace anew::inline ANEW_ABI {

/// All pacers, but those that are striped.
using pacer_words = vocabulary<words::rate_limiter_that_fails, words::rate_limiter_that_waits, words::rate_limit>;

}  // namespace anew::inline ANEW_ABI

#endif
