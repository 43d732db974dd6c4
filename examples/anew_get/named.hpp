// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_NAMED_HPP
#define ANEW_GET_NAMED_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "anew/anew.hpp"
#include "anew/virtual/retry_strategy.hpp"

#include "chosen_shared.hpp"
#include "policies.hpp"

namespace anew_get {

/// A strategy behind anew's virtual interface, and what may be looked at.
struct made_strategy {
  std::unique_ptr<anew::retry_strategy> strategy;
  std::function<quota_state()> quota = [] { return quota_state{}; };
  std::function<double()> rate = [] { return 0.0; };  // what the pacer permits a second; 0: whatever comes
  std::uint32_t max_attempts = 0;                     // 0: without a limit
  bool is_of_aws = false;                             // says in a header which attempt of which call a request is
};

[[nodiscard]] bool is_strategy_name(std::string_view text);

/// The preset of that name, or for `from-config` what the environment and the AWS files say; throws
/// `anew::aws_settings::config_error` when that is wrong. `who` hears what happens.
[[nodiscard]] made_strategy make_named(std::string_view name, hearer& who);

/// The text that --describe prints.
[[nodiscard]] std::string describe_named(std::string_view name);

}  // namespace anew_get

#endif
