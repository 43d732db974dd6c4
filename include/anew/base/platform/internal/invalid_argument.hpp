// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_INVALID_ARGUMENT_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_INVALID_ARGUMENT_HPP

#include <new>
#include <stdexcept>
#include <string>

#include "anew/base/platform/compiler.hpp"

#if !ANEW_EXCEPTIONS
#include <cstdio>
#include <cstdlib>
#endif

namespace anew::inline ANEW_ABI::detail {

/// Throws the error; without exceptions prints its message and aborts, since what is nonsensical must not run.
[[noreturn]] ANEW_COLD void raise(auto const& error) {
#if ANEW_EXCEPTIONS
  throw error;
#else
  std::fprintf(stderr, "%s\n", error.what());
  std::abort();
#endif
}

[[noreturn]] ANEW_COLD inline void throw_invalid_argument(std::string const& message) {
  detail::raise(std::invalid_argument{message});
}

/// "anew::max_attempts: attempts must be at least 1, but is 0".
ANEW_COLD inline std::string invalid_text(char const* policy, char const* requirement, std::string const& value) {
  return std::string{"anew::"} + policy + ": " + requirement + ", but is " + value;
}
[[noreturn]] ANEW_COLD inline void invalid_argument(char const* policy, char const* requirement,
                                                    std::string const& value) {
  detail::throw_invalid_argument(detail::invalid_text(policy, requirement, value));
}

[[noreturn]] ANEW_COLD inline void out_of_memory() { detail::raise(std::bad_alloc{}); }

}  // namespace anew::inline ANEW_ABI::detail

#endif
