// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GATE_WHEN_COOLING_HPP
#define ANEW_GATE_WHEN_COOLING_HPP

#include <cstdint>

#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// What becomes of an attempt that wants to begin while its destination cools down.
enum class when_cooling : std::uint8_t {
  wait,    ///< it waits; no longer than the longest wait, the deadline and the stop token let it
  refuse,  ///< the call ends
};

}  // namespace anew::inline ANEW_ABI

#endif
