// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HANA_HPP
#define ANEW_HANA_HPP

/// Strategies as structures of Boost.Hana. Opt-in: you pay for it only if you include it.

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/hana/hana_struct.hpp"

#endif
