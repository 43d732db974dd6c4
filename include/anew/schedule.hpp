// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SCHEDULE_HPP
#define ANEW_SCHEDULE_HPP

/// What range-v3 makes of a strategy: its delays as a view, and views as a backoff.
#include "anew/schedule/schedule.hpp"

#endif
