// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SLEEPER_HPP
#define ANEW_SLEEPER_HPP

/// The sleepers: blocking, spinning, hybrid.

#include "anew/call/blocking_sleeper.hpp"
#include "anew/call/hybrid_sleeper.hpp"
#include "anew/call/spinning_sleeper.hpp"

#endif
