// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HANA_HPP
#define ANEW_HANA_HPP

/// Strategies as structures of Boost.Hana. Opt-in: whoever does not include it pays nothing.

#include "anew/hana/strategy.hpp"

#endif
