// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_INTERNAL_MISUSED_TOKEN_HPP
#define ANEW_RUN_TIME_VIRTUAL_INTERNAL_MISUSED_TOKEN_HPP

#include <string>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"

namespace anew::inline ANEW_ABI::detail {

/// "anew::retry_strategy::admit requires an unused token that this strategy issued; the token is empty". Throws
/// `std::invalid_argument`; without exceptions prints the message and aborts.
[[noreturn]] ANEW_COLD inline void misused_token(char const* function, char const* what_it_is) {
  detail::throw_invalid_argument(std::string{"anew::retry_strategy::"}
                                     .append(function)
                                     .append(" requires an unused token that this strategy issued; the token ")
                                     .append(what_it_is));
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
