// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_ACQUIRE_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_ACQUIRE_HPP

#include <optional>

#include "read.hpp"
#include "report.hpp"

namespace replay {

/// Is this `setup` one that `replay_acquire` knows?
[[nodiscard]] bool is_situation(json const& setup);

/// `setup` is the entry's own, or that of the entry before where it says `same`.
[[nodiscard]] std::optional<difference> replay_acquire(json const& file, json const& one, json const& setup);

}  // namespace replay

#endif
