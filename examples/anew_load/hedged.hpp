// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_HEDGED_HPP
#define ANEW_LOAD_HEDGED_HPP

#include <string>

namespace anew_load {

/// Throws `anew_get::strategy_error` for a text that hedged calls do not take.
void expect_hedged(std::string const& text);

}  // namespace anew_load

#endif
