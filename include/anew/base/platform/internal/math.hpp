// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_MATH_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_MATH_HPP

/// Functions of <cmath>, without its 5,000 lines where the compiler has them.

#include "anew/base/platform/compiler.hpp"

#if !defined(__GNUC__) && !defined(__clang__)
#include <cmath>
#endif

namespace anew::inline ANEW_ABI::detail {

#if defined(__GNUC__) || defined(__clang__)
inline double cube_root(double x) noexcept { return __builtin_cbrt(x); }
inline double square_root(double x) noexcept { return __builtin_sqrt(x); }
inline double two_to(double x) noexcept { return __builtin_exp2(x); }
inline double tanh(double x) noexcept { return __builtin_tanh(x); }
#else
inline double cube_root(double x) noexcept { return std::cbrt(x); }
inline double square_root(double x) noexcept { return std::sqrt(x); }
inline double two_to(double x) noexcept { return std::exp2(x); }
inline double tanh(double x) noexcept { return std::tanh(x); }
#endif

}  // namespace anew::inline ANEW_ABI::detail

#endif
