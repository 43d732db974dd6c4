// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SLEEPER_HPP
#define ANEW_SLEEPER_HPP

/// The sleepers: blocking, spinning, hybrid.

#include "anew/drivers/blocking_sleeper.hpp"
#include "anew/drivers/spinning_sleeper.hpp"

#endif
