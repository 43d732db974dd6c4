// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_WHEN_COOLING_HPP
#define ANEW_POLICIES_GATE_WHEN_COOLING_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// The treatment of an attempt while its destination cools down.
enum class when_cooling : std::uint8_t {
  wait,    ///< it waits, within the longest wait and the deadline, until a stop
  refuse,  ///< the call ends
};

}  // namespace anew::inline ANEW_ABI

#endif
