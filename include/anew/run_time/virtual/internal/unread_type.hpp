// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_INTERNAL_UNREAD_TYPE_HPP
#define ANEW_RUN_TIME_VIRTUAL_INTERNAL_UNREAD_TYPE_HPP

#include <string>
#include <string_view>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Reports an operation's result of a type that the strategy behind a view does not read. Throws
/// `std::invalid_argument`; without exceptions prints the message and aborts.
[[noreturn]] ANEW_COLD inline void unread_type(std::string_view name) {
  detail::throw_invalid_argument(
      std::string{
          "anew::strategy_view requires a strategy that reads the operation's result; the strategy does not read "}
          .append(name)
          .append(". Name the type where the strategy is made: anew::virtual_strategy<Strategy, E>, "
                  "classify it where it is known: anew::basic_strategy_view{strategy, classifier}, or pass "
                  "anew::throws_only(operation) if every value is a success"));
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
