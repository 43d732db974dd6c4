// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_REDIS_HPP
#define ANEW_REDIS_HPP

/// A budget of retries that a fleet shares on Redis, with hiredis.
#include "anew/bridges/redis/redis_bucket.hpp"
#include "anew/bridges/redis/redis_settings.hpp"

#endif
