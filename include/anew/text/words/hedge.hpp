// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_HEDGE_HPP
#define ANEW_TEXT_WORDS_HEDGE_HPP

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/run_time.hpp"
#include "anew/drivers/hedge/hedge_at_quantile.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/text/word.hpp"
#include "anew/text/word_of.hpp"

/// The words of hedgings, for `read_policy`: a hedging is no part of a strategy.
namespace anew::inline ANEW_ABI::words {

struct hedge_after : word_of<"hedge_after", anew::hedge_after<run_time, run_time_count>, time<"DELAY">,
                             maybe<count<"EXTRA">>, flag<"stop">> {
  static auto make(duration delay, std::optional<std::int64_t> extra, bool stops) {
    return std::tuple{delay, extra.value_or(1), stops ? when_pushed_back::stop : when_pushed_back::wait};
  }
};

struct quantile : written_as<"NUM/DEN"> {
  static std::pair<std::uint32_t, std::uint32_t> value(word const& w, auto const& /*in*/) {
    w.expect_plain();
    auto const slash = w.name.find('/');
    if (slash == w.name.npos) w.refuse(word::quoted(w.name) + " must be a fraction such as 95/100");
    auto num = w;
    auto den = w;
    num.name = w.name.substr(0, slash);
    den.name = w.name.substr(slash + 1);
    return {num.as_whole<std::uint32_t>(), den.as_whole<std::uint32_t>()};
  }
};
/// Begins with the first delay of `quantile_bounds`, moved between the bounds, whatever the one that was described has
/// learned.
struct hedge_at_quantile
    : word_of<"hedge_at_quantile", anew::hedge_at_quantile<run_time_count, run_time_count, run_time_count>, quantile,
              maybe<count<"EXTRA">>, keyed<"lower", time<"LOWER">>, keyed<"upper", time<"UPPER">>,
              keyed<"samples", count32<"SAMPLES">>, flag<"stop">> {
  static auto make(std::pair<std::uint32_t, std::uint32_t> of, std::optional<std::int64_t> extra,
                   std::optional<duration> lower, std::optional<duration> upper, std::optional<std::uint32_t> samples,
                   bool stops) {
    constexpr quantile_bounds usual{};
    auto const least = lower.value_or(usual.lower.value());
    auto const most = upper.value_or(usual.upper.value());
    auto const first = detail::larger(least, detail::smaller(usual.initial.value(), most));
    return std::tuple{quantile_parameters{of.first, of.second, first, least, most,
                                          samples.value_or(static_cast<std::uint32_t>(usual.samples))},
                      extra.value_or(1), stops ? when_pushed_back::stop : when_pushed_back::wait};
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
