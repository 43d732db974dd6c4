// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_WHEN_REDIS_IS_AWAY_HPP
#define ANEW_BRIDGES_REDIS_WHEN_REDIS_IS_AWAY_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// How a `redis_bucket` decides while Redis does not answer and its lease is over.
enum class when_redis_is_away : std::uint8_t {
  refuse,  ///< it is refused
  share,   ///< it is paid by a local bucket of `capacity / processes` tokens, which successes refill
  grant,   ///< it is granted, without a limit
};

}  // namespace anew::inline ANEW_ABI

#endif
