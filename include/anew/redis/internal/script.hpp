// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_REDIS_INTERNAL_SCRIPT_HPP
#define ANEW_REDIS_INTERNAL_SCRIPT_HPP

#include <cstdint>

#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The whole bucket, in Redis: one key, so that it lies in one slot of a cluster. Its life has a number, the epoch: a
/// bucket that was lost begins another, and what was taken in the last one is not returned to it.
///
/// ARGV: capacity, earned, wanted, returned, epoch, time to live in ms, first balance. Returns: granted, balance,
/// epoch.
inline constexpr char redis_script[] = R"(
local found = redis.call('HMGET', KEYS[1], 'balance', 'epoch')
local balance, epoch = tonumber(found[1]), found[2]
if not balance or not epoch then
  local now = redis.call('TIME')
  epoch = now[1] .. string.format('%06d', tonumber(now[2]))
  balance = tonumber(ARGV[7])
end
if epoch == ARGV[5] then balance = balance + tonumber(ARGV[4]) end
balance = math.min(tonumber(ARGV[1]), balance + tonumber(ARGV[2]))
local granted = math.min(tonumber(ARGV[3]), balance)
balance = balance - granted
redis.call('HSET', KEYS[1], 'balance', balance, 'epoch', epoch)
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return {granted, balance, epoch}
)";

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
