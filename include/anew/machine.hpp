// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_MACHINE_HPP
#define ANEW_MACHINE_HPP

/// A call as a state machine, for a loop of your own: `retry_machine`, `call_engine`, `next_step`.
#include "anew/drivers/call_engine.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/drivers/retry_machine.hpp"

#endif
