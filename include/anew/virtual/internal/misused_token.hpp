// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VIRTUAL_INTERNAL_MISUSED_TOKEN_HPP
#define ANEW_VIRTUAL_INTERNAL_MISUSED_TOKEN_HPP

#include <string>

#include "anew/platform/compiler.hpp"
#if ANEW_EXCEPTIONS
#include <stdexcept>
#else
#include <cstdio>
#include <cstdlib>
#endif

namespace anew::inline ANEW_ABI::detail {

/// "anew::retry_strategy::admit requires an unused token that this strategy issued; the token is empty". Throws
/// `std::invalid_argument`; without exceptions prints the message and aborts.
[[noreturn]] ANEW_COLD inline void misused_token(char const* function, char const* what_it_is) {
  auto const message = std::string{"anew::retry_strategy::"}
                           .append(function)
                           .append(" requires an unused token that this strategy issued; the token ")
                           .append(what_it_is);
#if ANEW_EXCEPTIONS
  throw std::invalid_argument(message);
#else
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
#endif
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
