// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_MADE_STRATEGY_HPP
#define ANEW_GET_MADE_STRATEGY_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/bounds/bound.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"

#include "quota_state.hpp"
#include "record.hpp"
#include "shared_quota.hpp"

namespace anew_get {

/// A strategy behind anew's virtual interface, and what may be looked at.
struct made_strategy {
  std::unique_ptr<anew::retry_strategy> strategy;
  std::function<quota_state()> quota = [] { return quota_state{}; };
  std::function<double()> rate = [] { return 0.0; };  // what the pacer permits a second; 0: whatever comes
  std::uint32_t max_attempts = 0;                     // 0: without a limit
  anew::strategy_bounds promised;
  bool is_of_aws = false;  // says in a header which attempt of which call a request is
  std::optional<anew::duration> deadline;
  bool makes_a_last_try = false;  // at the deadline
  /// How long an attempt may take, by what remains of the deadline; empty: the strategy does not say. It stands beside the
  /// interface, which has no word for it.
  std::function<anew::duration(anew::duration)> attempt_limit;
  bool limits_last_try = false;
  std::optional<anew::duration> resets_after;  // an attempt that ran so long starts the count anew
  anew::duration longest_hint = anew::server_hint<>{}.longest();
};

/// A mistake in a strategy as text; what() has three lines, the last with carets under it.
struct strategy_error : std::runtime_error {
  using std::runtime_error::runtime_error;
  std::string option = "--strategy";  // that held the text
};

/// The preset of that name, what the environment and the AWS files say (`from-config`), or what a text says, which pays
/// its retries from `quota` if there is one. `who` hears what happens. Throws strategy_error, also if the text names a
/// quota too, and `anew::aws_settings::config_error` when the environment or the files are wrong.
[[nodiscard]] made_strategy make_strategy(std::string const& name_or_text, hearer& who,
                                          std::optional<shared_quota> const& quota = std::nullopt);

/// A strategy to look at, which reports to no observer: do not call it.
[[nodiscard]] made_strategy make_strategy(std::string const& name_or_text,
                                          std::optional<shared_quota> const& quota = std::nullopt);

}  // namespace anew_get

#endif
