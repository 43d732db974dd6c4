// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HEDGE_HPP
#define ANEW_HEDGE_HPP

/// Hedging: another attempt while one is late. Policies that say when, and the call as a state machine.
#include "anew/drivers/hedge/hedge_at_quantile.hpp"
#include "anew/drivers/hedge/hedge_machine.hpp"
#include "anew/drivers/hedge/hedging.hpp"

#endif
