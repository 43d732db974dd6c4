// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_BY_TEXT_HPP
#define ANEW_PLAN_BY_TEXT_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/stop_reason.hpp"

#include "fleet.hpp"
#include "scenario.hpp"

namespace anew_plan {

/// The text of a preset (`aws-standard`, `grpc`, ...), or of the AWS variables and files (`from-config`), without the
/// classifier: in a plan each failure is a time-out or a transient error. Any other text is returned as it is. Throws
/// `anew::aws_settings::config_error` where the variables or the files are wrong.
[[nodiscard]] std::string text_of(std::string_view name_or_text);

/// The names that `text_of()` knows, separated by commas.
[[nodiscard]] std::string preset_names();

/// Throws `std::invalid_argument`, whose text has carets under the mistake, where the text is no strategy.
void check_text(std::string const& text);

/// Simulates the scenario. Throws as `check_text()`. The levels are those of a token_bucket or a retry_throttle, and are read
/// where `with_levels`.
[[nodiscard]] observed simulate(std::string const& text, scenario const& s, bool with_levels = false);

/// Throws `std::invalid_argument` where the text names no hedging.
void check_hedging(std::string const& text);

/// One call in an idle program, whose attempts all time out.
struct lone_call {
  unsigned attempts = 0;
  anew::duration first_wait{};  // before the second attempt
  anew::duration waited{};      // between all attempts
  anew::stop_reason reason{};
};
inline constexpr unsigned most_attempts_alone = 1'000;  // where nothing else ends the call
/// The program has made `calls_before` calls that succeeded, at the same moment.
[[nodiscard]] lone_call call_alone(std::string const& text, anew::duration timeout, unsigned calls_before = 0);
/// The waits of each of `calls` such calls, added up, in ascending order.
[[nodiscard]] std::vector<anew::duration> waits_alone(std::string const& text, anew::duration timeout,
                                                      std::size_t calls);

/// Returns the promises of the strategy, in a line.
[[nodiscard]] std::string promises_of(std::string const& text);

/// The policies that a text names.
struct facts {
  bool quota = false;
  bool gate = false;  // or a pacer
  bool no_jitter = false;
  bool ignored_hints = false;
  struct budget_at_a_time {
    double share = 0;  // of the calls under way, that may be retries
    double least = 0;
  };
  std::optional<budget_at_a_time> at_a_time;  // of a concurrency_budget
  std::optional<anew::duration> deadline;
  std::optional<anew::duration> longest_hint;  // where the text says it
};
[[nodiscard]] facts facts_of(std::string_view text);

/// The text with another policy of the role, or with a policy of the role.
[[nodiscard]] std::string with_backoff(std::string_view text, std::string_view backoff);
[[nodiscard]] std::string with_jitter(std::string_view text, std::string_view jitter);
[[nodiscard]] std::string with_quota(std::string_view text, std::string_view quota);
[[nodiscard]] std::string with_limit(std::string_view text, std::string_view limit);
/// The text without a deadline, and without gates.
[[nodiscard]] std::string without_deadline(std::string_view text);
[[nodiscard]] std::string without_gate(std::string_view text);

}  // namespace anew_plan

#endif
