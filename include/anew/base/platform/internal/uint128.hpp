// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_UINT128_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_UINT128_HPP

#include "anew/base/platform/compiler.hpp"

// A division of the compiler's type calls a function of its run-time library, which WASI does not have and clang for MSVC
// does not link.
#if defined(__SIZEOF_INT128__) && !defined(_MSC_VER) && !defined(ANEW_PLATFORM_WASI)
namespace anew::inline ANEW_ABI::detail {
__extension__ using uint128 = unsigned __int128;
}  // namespace anew::inline ANEW_ABI::detail
#else
#include "anew/base/platform/internal/wide_word.hpp"
namespace anew::inline ANEW_ABI::detail {
using uint128 = wide_word;
}  // namespace anew::inline ANEW_ABI::detail
#endif

#endif
