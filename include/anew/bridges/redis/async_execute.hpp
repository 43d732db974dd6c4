// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_ASYNC_EXECUTE_HPP
#define ANEW_BRIDGES_REDIS_ASYNC_EXECUTE_HPP

#include <hiredis/hiredis.h>

#include <cstddef>
#include <string>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/redis/async_connection.hpp"
#include "anew/bridges/redis/internal/with_hiredis.hpp"
#include "anew/bridges/redis/result.hpp"

namespace anew::inline ANEW_ABI::redis {

/// redisAsyncCommand as an operation of `async_retry`, which completes with a `result` of the same meaning as `execute`'s.
/// Throws: `std::invalid_argument` for a wrong or empty format      Cost: three blocks of the heap for each attempt, beyond hiredis's
template <class... Arguments>
[[nodiscard]] auto async_execute(async_connection& on, char const* format, Arguments... arguments) {
  if constexpr (detail::explain_arguments<Arguments...>()) {
    char* text = nullptr;
    int const size = redisFormatCommand(&text, format, arguments...);
    anew::detail::require(size >= 0, "redis::async_execute", "format must be one of redisFormatCommand", format);
    std::string command(text, static_cast<std::size_t>(size));
    redisFreeCommand(text);
    anew::detail::require(!command.starts_with("*0"), "redis::async_execute", "format must have a command", format);
    return initiates<void(result)>(
        [to = on.client_, kept = std::move(command)](auto handler) { to->send(kept, std::move(handler)); });
  }
}

}  // namespace anew::inline ANEW_ABI::redis

#endif
