// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SCHEDULE_HPP
#define ANEW_SCHEDULE_HPP

/// The use of range-v3 with a strategy: its delays as a view, and views as a backoff.
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/ranges/schedule.hpp"

#endif
