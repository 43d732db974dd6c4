// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_ADVICE_HPP
#define ANEW_PLAN_ADVICE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario.hpp"

namespace anew_plan {

/// The waits of a call between its attempts, added up, in seconds. Every attempt times out, and quota and gate let the
/// call retry.
struct waits {
  double p50 = 0;
  double p99 = 0;
  double p999 = 0;
  double longest = 0;
};
/// Nothing for a strategy without an end.
[[nodiscard]] std::optional<waits> waits_of(std::string const& text, scenario const& s);

/// Warnings about the configuration, each a sentence with its remedy: a deadline that no retry fits into, a quota that pays
/// for nothing, and the like. `layers` services in a row retry by this strategy.
[[nodiscard]] std::vector<std::string> warnings_of(std::string const& text, scenario const& s, std::uint32_t layers);

}  // namespace anew_plan

#endif
