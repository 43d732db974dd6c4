// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_NEXT_STEP_HPP
#define ANEW_DRIVERS_NEXT_STEP_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// The next step of a call's driver. Every function of `call_engine` and `retry_machine` that advances the call returns
/// it.
enum class next_step : std::uint8_t {
  attempt,   ///< make an attempt, and report its outcome
  wait,      ///< wait, and report that the wait is over
  finished,  ///< nothing: the call is over
};

}  // namespace anew::inline ANEW_ABI

#endif
