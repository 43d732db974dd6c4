// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_RUN_TIME_HPP
#define ANEW_BASE_RUN_TIME_HPP

#include "anew/base/at_run_time.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// As a template argument: the value is unknown at compile time, and you pass it to the constructor.
/// `exponential_backoff{base, cap}` is `exponential_backoff<run_time, run_time>`, which you need not write.
inline constexpr static_duration run_time{duration::min()};

template <>
inline constexpr static_duration at_run_time<static_duration> = run_time;

}  // namespace anew::inline ANEW_ABI

#endif
