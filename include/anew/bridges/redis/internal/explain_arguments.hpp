// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_EXPLAIN_ARGUMENTS_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_EXPLAIN_ARGUMENTS_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::redis::detail {

/// hiredis reads a `std::string` as if it were a pointer, and sends the server whatever lies there.
template <class... Arguments>
inline constexpr bool are_read_by_hiredis = (std::is_scalar_v<Arguments> && ...);

template <class... Arguments>
consteval bool explain_arguments() {
  static_assert(
      are_read_by_hiredis<Arguments...>,
      "anew::redis::execute and async_execute require arguments that are numbers or pointers; one of these is "
      "an object, which hiredis cannot read. Pass text.c_str() for %s, or text.data(), text.size() for %b");
  return are_read_by_hiredis<Arguments...>;
}

}  // namespace anew::inline ANEW_ABI::redis::detail

#endif
