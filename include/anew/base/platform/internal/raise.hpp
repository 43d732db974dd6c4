// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_RAISE_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_RAISE_HPP

#include <new>

#include "anew/base/platform/compiler.hpp"

#if !ANEW_EXCEPTIONS
#include <cstdio>
#include <cstdlib>
#endif

namespace anew::inline ANEW_ABI::detail {

/// Throws the error; without exceptions prints its message and aborts.
template <class Error>
[[noreturn]] ANEW_COLD void raise(Error const& error) {
#if ANEW_EXCEPTIONS
  throw error;
#else
  std::fprintf(stderr, "%s\n", error.what());
  std::abort();
#endif
}

[[noreturn]] ANEW_COLD inline void out_of_memory() { detail::raise(std::bad_alloc{}); }

}  // namespace anew::inline ANEW_ABI::detail

#endif
