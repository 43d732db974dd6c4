// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_BACKOFF_WORDS_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_BACKOFF_WORDS_HPP

#include <optional>
#include <string>

#include "read.hpp"
#include "report.hpp"

namespace replay {

/// Is the formula, as the implementation wrote it, one that `replay_formula` knows?
[[nodiscard]] bool is_known_formula(std::string const& formula);

/// A set of delays by a formula in words: each implementation counts and rounds in its own way.
[[nodiscard]] std::optional<difference> replay_formula(json const& set, std::string const& formula);

}  // namespace replay

#endif
