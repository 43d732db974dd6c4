// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_PACER_WHEN_LIMITED_HPP
#define ANEW_POLICIES_PACER_WHEN_LIMITED_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// The treatment of an attempt that exceeds the current rate.
enum class when_limited : std::uint8_t {
  wait,       ///< it waits in a queue until its turn
  fail_fast,  ///< the call ends with `stop_reason::rate_limited`
};

}  // namespace anew::inline ANEW_ABI

#endif
