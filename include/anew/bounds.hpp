// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_HPP
#define ANEW_BOUNDS_HPP

/// The promises of a strategy, and demands on them. For texts: anew/text/read_strategy_within.hpp.

#include "anew/bounds/bounds_of.hpp"
#include "anew/bounds/limits.hpp"

#endif
