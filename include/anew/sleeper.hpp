// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SLEEPER_HPP
#define ANEW_SLEEPER_HPP

/// The sleepers: blocking, spinning, hybrid.

#include "anew/policies/sources/blocking_sleeper.hpp"
#include "anew/policies/sources/hybrid_sleeper.hpp"
#include "anew/policies/sources/spinning_sleeper.hpp"

#endif
