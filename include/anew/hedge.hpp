// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HEDGE_HPP
#define ANEW_HEDGE_HPP

/// Hedging: another attempt beside one that is late. Policies that say when, and the call as a state machine.
#include "anew/call/hedge/hedge_after.hpp"
#include "anew/call/hedge/hedge_at_quantile.hpp"
#include "anew/call/hedge/hedge_machine.hpp"
#include "anew/call/hedge/hedge_step.hpp"
#include "anew/call/hedge/hedging.hpp"
#include "anew/call/hedge/quantile_estimate.hpp"

#endif
