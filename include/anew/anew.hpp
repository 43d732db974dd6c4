// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ANEW_HPP
#define ANEW_ANEW_HPP

/// Everything of the core: policies, composition, the blocking loop. What is opt-in, as polling is, has headers of its own.

#include "anew/backoff/constant.hpp"
#include "anew/backoff/exponential.hpp"
#include "anew/backoff/none.hpp"
#include "anew/classifier/http_status.hpp"
#include "anew/classifier/retry_all.hpp"
#include "anew/classifier/retry_if.hpp"
#include "anew/classifier/retry_info.hpp"
#include "anew/classifier/retry_on.hpp"
#include "anew/hint/server_hint.hpp"
#include "anew/jitter/decorrelated.hpp"
#include "anew/jitter/equal.hpp"
#include "anew/jitter/full.hpp"
#include "anew/jitter/none.hpp"
#include "anew/limit/deadline.hpp"
#include "anew/limit/max_attempts.hpp"
#include "anew/limit/unbounded.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/quota/unlimited.hpp"
#include "anew/retry.hpp"
#include "anew/sleeper.hpp"
#include "anew/strategy.hpp"
#include "anew/version.hpp"

#endif
