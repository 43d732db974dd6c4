// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_HPP
#define ANEW_BOUNDS_HPP

/// What a strategy promises. Opt-in.

#include "anew/bounds/bounds_of.hpp"
#include "anew/bounds/demands.hpp"

#endif
