// SPDX-License-Identifier: BSL-1.0
#ifndef EXAMPLES_SUPPORT_EXPLAIN_STRATEGY_HPP
#define EXAMPLES_SUPPORT_EXPLAIN_STRATEGY_HPP

#include <optional>
#include <string>

#include "anew/base/duration.hpp"

namespace anew_get {

/// Options of a program that stand beside the strategy.
struct set_beside {
  std::optional<anew::duration> attempt_timeout;
  std::string shared_quota;  // of several processes, as it is named; empty: the strategy has its own
};

/// Six lines that say what a strategy will do: its text, attempts, waits, what it repeats, its limits and promises. Found by
/// asking the strategy, over and over, as a call does. Throws what make_strategy() throws.
[[nodiscard]] std::string explain(std::string const& name_or_text, set_beside const& more);

}  // namespace anew_get

#endif
