// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_ACQUIRE_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_ACQUIRE_HPP

#include <optional>

#include "read.hpp"
#include "report.hpp"

namespace replay {

/// Is the entry's `setup` one that `replay_acquire` knows?
[[nodiscard]] bool is_situation(json const& one);

[[nodiscard]] std::optional<difference> replay_acquire(json const& file, json const& one);

}  // namespace replay

#endif
