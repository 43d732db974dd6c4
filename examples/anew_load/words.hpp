// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_WORDS_HPP
#define ANEW_LOAD_WORDS_HPP

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "load.hpp"

namespace anew_load {

[[nodiscard]] std::string number(double value, int decimals);

/// "12,345".
[[nodiscard]] std::string grouped(std::uint64_t n);

/// Three digits that count, in the unit that one would say.
[[nodiscard]] std::string time_words(anew::duration d);

/// "500", "10..1000 for 5s, 1000 for 10s".
[[nodiscard]] std::string rate_words(std::vector<rate_step> const& rate);

using named_counts = std::vector<std::pair<std::string, std::uint64_t>>;

/// "503 40, not in time 16": the most frequent first.
[[nodiscard]] std::string most_first(named_counts all);

/// The counts that are not zero, in the order of the reasons or of the outcomes.
[[nodiscard]] named_counts by_name(endings::counts const& gave_up);
[[nodiscard]] named_counts by_name(std::array<std::uint64_t, number_of_outcomes> const& ended);
[[nodiscard]] named_counts by_name(std::map<outcome, std::uint64_t> const& last);

inline constexpr std::array quantiles{std::pair{"p50", 0.5}, std::pair{"p90", 0.9}, std::pair{"p99", 0.99},
                                      std::pair{"p99.9", 0.999}};

}  // namespace anew_load

#endif
