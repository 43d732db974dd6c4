// SPDX-License-Identifier: BSL-1.0
#ifndef EXAMPLES_SUPPORT_EXPLAIN_STRATEGY_HPP
#define EXAMPLES_SUPPORT_EXPLAIN_STRATEGY_HPP

#include <string>

namespace anew_get {

/// Five lines that say what a strategy will do: its text, attempts, waits, what it repeats, and its limits. Found by
/// asking the strategy, over and over, as a call does. Throws what make_strategy() throws.
[[nodiscard]] std::string explain(std::string const& name_or_text);

}  // namespace anew_get

#endif
