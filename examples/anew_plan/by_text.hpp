// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_BY_TEXT_HPP
#define ANEW_PLAN_BY_TEXT_HPP

#include <string>
#include <string_view>

#include "fleet.hpp"
#include "scenario.hpp"

namespace anew_plan {

/// The text of a preset (`aws-standard`, `grpc`, ...), without the classifier: in a plan each failure is a time-out or a
/// transient error. Any other text is returned as it is.
[[nodiscard]] std::string text_of(std::string_view name_or_text);

/// The names that `text_of()` knows, separated by commas.
[[nodiscard]] std::string preset_names();

/// Throws `std::invalid_argument`, whose text has carets under the mistake, where the text is no strategy.
void check_text(std::string const& text);

/// Simulates the scenario. Throws as `check_text()`. The levels are those of a token_bucket or a retry_throttle, and are read
/// where `with_levels`.
[[nodiscard]] observed simulate(std::string const& text, scenario const& s, bool with_levels = false);

/// Simulates clients with that strategy, and the layers with theirs. Throws as `check_text()`.
[[nodiscard]] observed simulate(std::string const& text, world const& w, event_log& log);

/// The text with another quota, or with a quota.
[[nodiscard]] std::string with_quota(std::string_view text, std::string_view quota);
/// The text with another limit of attempts.
[[nodiscard]] std::string with_limit(std::string_view text, std::string_view limit);

}  // namespace anew_plan

#endif
