// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_SCRIPT_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_SCRIPT_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The whole bucket, in Redis: one key, so that it lies in one slot of a cluster. Its life has a number, the epoch: a
/// bucket that was lost begins another, and what was taken in the last one is not returned to it. Its capacity and costs
/// lie in it too: a process with others is answered with an error that begins with `redis_script_error`.
///
/// ARGV: capacity, earned, wanted, returned, epoch, time to live in ms, first balance, numbers. Returns: granted,
/// balance, epoch. It writes after TIME and sets several fields at once, which Redis 5 permits.
inline constexpr char redis_script[] = R"(
local found = redis.call('HMGET', KEYS[1], 'balance', 'epoch', 'numbers')
local balance, epoch = tonumber(found[1]), found[2]
if not balance or not epoch or #epoch > 18 or not string.find(epoch, '^%d+$') then
  local now = redis.call('TIME')
  epoch = now[1] .. string.format('%06d', tonumber(now[2]))
  balance = tonumber(ARGV[7])
elseif found[3] and found[3] ~= ARGV[8] then
  return redis.error_reply('ANEWNUMBERS ' .. found[3])
end
if epoch == ARGV[5] then balance = balance + tonumber(ARGV[4]) end
balance = math.min(tonumber(ARGV[1]), balance + tonumber(ARGV[2]))
local granted = math.min(tonumber(ARGV[3]), balance)
balance = balance - granted
redis.call('HSET', KEYS[1], 'balance', balance, 'epoch', epoch, 'numbers', ARGV[8])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return {granted, balance, epoch}
)";
inline constexpr char redis_script_error[] = "ANEWNUMBERS ";

/// The arguments of one exchange.
struct redis_question {
  std::uint32_t earned = 0;
  std::uint32_t wanted = 0;
  std::uint32_t returned = 0;
  std::uint64_t epoch = 0;
};

struct redis_answer {
  std::uint32_t granted = 0;
  std::uint32_t balance = 0;
  std::uint64_t epoch = 0;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
