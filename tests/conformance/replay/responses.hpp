// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_RESPONSES_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_RESPONSES_HPP

#include <optional>

#include "anew/base/failure.hpp"

#include "read.hpp"

namespace replay {

/// What a step's response means to a strategy: nothing for a success, else the failure. By `kind` where the step has
/// one, else as the library classifies its `status` and `code`; the header `x-amz-retry-after` counts either way.
[[nodiscard]] std::optional<anew::failure> failure_of(json const& step);

}  // namespace replay

#endif
