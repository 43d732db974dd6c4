// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_USDT_HPP
#define ANEW_USDT_HPP

/// Static probes of calls, for bpftrace and perf
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/observer/usdt.hpp"

#endif
