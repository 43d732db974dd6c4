// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLATFORM_INTERNAL_INVALID_ARGUMENT_HPP
#define ANEW_PLATFORM_INTERNAL_INVALID_ARGUMENT_HPP

#include <string>

#include "anew/platform/compiler.hpp"
#if ANEW_EXCEPTIONS
#include <stdexcept>
#else
#include <cstdio>
#include <cstdlib>
#endif

namespace anew::inline ANEW_ABI::detail {

/// "anew::max_attempts: attempts must be at least 1, but is 0". Throws `std::invalid_argument`; without exceptions
/// prints the message and aborts, since a strategy with a nonsensical value must not run.
[[noreturn]] ANEW_COLD inline void invalid_argument(char const* policy, char const* requirement,
                                                    std::string const& value) {
  std::string const message = std::string{"anew::"} + policy + ": " + requirement + ", but is " + value;
#if ANEW_EXCEPTIONS
  throw std::invalid_argument(message);
#else
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
#endif
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
