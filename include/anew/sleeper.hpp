// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SLEEPER_HPP
#define ANEW_SLEEPER_HPP

/// The sleepers: blocking, spinning, hybrid.

#include "anew/sleeper/blocking.hpp"
#include "anew/sleeper/hybrid.hpp"
#include "anew/sleeper/spinning.hpp"

#endif
