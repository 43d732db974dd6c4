// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_AT_RUN_TIME_HPP
#define ANEW_BASE_AT_RUN_TIME_HPP

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// As a template argument of type `T`: you give the value to the constructor. `run_time` and `run_time_count` name the
/// markers for durations and counts. Specialise it for a `T` with a value that has no other use.
template <class T>
inline constexpr decltype(nullptr) at_run_time = nullptr;

}  // namespace anew::inline ANEW_ABI

#endif
