// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_EXECUTE_HPP
#define ANEW_BRIDGES_REDIS_EXECUTE_HPP

#include <hiredis/hiredis.h>
#include <sys/time.h>

#include <chrono>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/redis/internal/with_hiredis.hpp"
#include "anew/bridges/redis/result.hpp"

namespace anew::inline ANEW_ABI::redis {

/// redisCommand as an operation's body: connects again first where the connection broke, and gives each
/// read and write the limit of the attempt.
///
///     anew::retry(strategy, anew::idempotent([&](anew::attempt& self) {
///       return anew::redis::execute(context, self, "SET %s %s", key, value);
///     }));
///
/// A new connection has forgotten AUTH, SELECT and MULTI. The limit is of each read, so a server that sends a byte now and
/// then holds the attempt longer. Connecting has the time-out of `redisConnectWithTimeout`.
///
/// Requires: a context that no other thread uses meanwhile; a format and its arguments, numbers and pointers
template <class... Arguments>
[[nodiscard]] result execute(redisContext* context, attempt const& self, char const* format, Arguments... arguments) {
  if constexpr (detail::explain_arguments<Arguments...>()) {
    if (context->err != 0 && redisReconnect(context) != REDIS_OK) return result::not_sent(context);
    if (auto const limit = self.limit(); limit != duration::max()) {
      auto const us = std::chrono::ceil<std::chrono::microseconds>(limit).count();
      redisSetTimeout(context, {static_cast<time_t>(us / 1'000'000), static_cast<suseconds_t>(us % 1'000'000)});
    }
    return detail::without_sigpipe([&] { return result{context, redisCommand(context, format, arguments...)}; });
  } else {
    return result::not_sent(context);
  }
}

}  // namespace anew::inline ANEW_ABI::redis

#endif
