// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_REDIS_HPP
#define ANEW_REDIS_HPP

/// With hiredis: a budget of retries that a fleet shares on Redis, and what the replies to your own commands mean.
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/redis/execute.hpp"
#include "anew/bridges/redis/redis_bucket.hpp"
#include "anew/bridges/redis/redis_settings.hpp"
#include "anew/bridges/redis/result.hpp"

#endif
