// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PACER_WHEN_LIMITED_HPP
#define ANEW_PACER_WHEN_LIMITED_HPP

#include <cstdint>

#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// What becomes of an attempt for which the rate has no room at the moment.
enum class when_limited : std::uint8_t {
  wait,       ///< it takes a place in a queue, and is let through when its turn comes
  fail_fast,  ///< the call ends with `stop_reason::rate_limited`
};

}  // namespace anew::inline ANEW_ABI

#endif
