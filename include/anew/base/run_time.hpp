// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_RUN_TIME_HPP
#define ANEW_BASE_RUN_TIME_HPP

#include <cstdint>
#include <limits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// As a template argument of type `T`: you give the value to the constructor. `run_time` and `run_time_count` name the
/// markers for durations and counts. Specialise it for your `T` with a value that you use for nothing else.
template <class T>
inline constexpr decltype(nullptr) at_run_time = nullptr;

/// As a template argument of a count: you pass the value to the constructor.
inline constexpr std::int64_t run_time_count = std::numeric_limits<std::int64_t>::min();

template <>
inline constexpr std::int64_t at_run_time<std::int64_t> = run_time_count;

/// As a template argument: the value is unknown at compile time, and you pass it to the constructor.
/// `exponential_backoff{base, cap}` is `exponential_backoff<run_time, run_time>`, which you need not write.
inline constexpr static_duration run_time{duration::min()};

template <>
inline constexpr static_duration at_run_time<static_duration> = run_time;

}  // namespace anew::inline ANEW_ABI

#endif
