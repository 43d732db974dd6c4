// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_NEXT_STEP_HPP
#define ANEW_DRIVE_NEXT_STEP_HPP

#include <cstdint>

#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// What the driver of a call does next. Every function of `call_engine` and `retry_machine` returns it.
enum class next_step : std::uint8_t {
  attempt,   ///< make an attempt, and tell its outcome
  wait,      ///< wait, and say when the wait is over
  finished,  ///< nothing: the call is over
};

}  // namespace anew::inline ANEW_ABI

#endif
