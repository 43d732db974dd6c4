// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VIRTUAL_INTERNAL_UNREAD_TYPE_HPP
#define ANEW_VIRTUAL_INTERNAL_UNREAD_TYPE_HPP

#include <string>
#include <string_view>

#include "anew/platform/compiler.hpp"
#if ANEW_EXCEPTIONS
#include <stdexcept>
#else
#include <cstdio>
#include <cstdlib>
#endif

namespace anew::inline ANEW_ABI::detail {

/// What an operation returned is of a type that the strategy behind a view does not read. Throws `std::invalid_argument`;
/// without exceptions prints the message and aborts.
[[noreturn]] ANEW_COLD inline void unread_type(std::string_view name) {
  auto const message =
      std::string{
          "anew::strategy_view requires a strategy that reads the operation's result; the strategy does not read "}
          .append(name)
          .append(
              ". Name the type where the strategy is made: anew::virtual_strategy<Strategy, E>, or "
              "classify it where it is known: anew::basic_strategy_view{strategy, classifier}");
#if ANEW_EXCEPTIONS
  throw std::invalid_argument(message);
#else
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
#endif
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
