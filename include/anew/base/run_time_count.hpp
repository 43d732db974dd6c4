// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_RUN_TIME_COUNT_HPP
#define ANEW_BASE_RUN_TIME_COUNT_HPP

#include <cstdint>
#include <limits>

#include "anew/base/at_run_time.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// As a template argument of a count: you pass the value to the constructor.
inline constexpr std::int64_t run_time_count = std::numeric_limits<std::int64_t>::min();

template <>
inline constexpr std::int64_t at_run_time<std::int64_t> = run_time_count;

}  // namespace anew::inline ANEW_ABI

#endif
