// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_NAMED_HPP
#define ANEW_GET_NAMED_HPP

#include <string_view>

#include "made_strategy.hpp"

namespace anew_get {

[[nodiscard]] bool is_strategy_name(std::string_view text);
/// The name that differs from the text by at most two letters in one place, or nothing.
[[nodiscard]] std::string_view near_strategy_name(std::string_view text);

/// The preset of that name, or for `from-config` what the environment and the AWS files say; throws
/// `anew::aws_settings::config_error` when that is wrong. `who` hears what happens.
[[nodiscard]] made_strategy make_named(std::string_view name, hearer& who);

}  // namespace anew_get

#endif
