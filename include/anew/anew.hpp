// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ANEW_HPP
#define ANEW_ANEW_HPP

/// Everything of the core: policies, composition, the blocking loop. Optional parts, such as polling, have their own
/// headers.

// First, because compilers print through which headers they came to the sentence that explains a mistake.
#include "anew/backoff/constant.hpp"
#include "anew/backoff/exponential.hpp"
#include "anew/backoff/no_backoff.hpp"
#include "anew/classifier/http_status.hpp"
#include "anew/classifier/retry_all.hpp"
#include "anew/classifier/retry_if.hpp"
#include "anew/classifier/retry_info.hpp"
#include "anew/classifier/retry_on.hpp"
#include "anew/classifier/retry_while.hpp"
#include "anew/compose/role_table.hpp"
#include "anew/compose/strategy.hpp"
#include "anew/deadline/deadline.hpp"
#include "anew/drive/retry.hpp"
#include "anew/drive/retry_outcome.hpp"
#include "anew/hint/server.hpp"
#include "anew/jitter/decorrelated.hpp"
#include "anew/jitter/equal.hpp"
#include "anew/jitter/full.hpp"
#include "anew/jitter/no_jitter.hpp"
#include "anew/max_attempts/max_attempts.hpp"
#include "anew/max_attempts/unbounded.hpp"
#include "anew/operation/idempotent.hpp"
#include "anew/operation/one_shot.hpp"
#include "anew/operation/rewinding.hpp"
#include "anew/operation/throws_only.hpp"
#include "anew/platform/version.hpp"
#include "anew/quota/token_bucket.hpp"
#include "anew/quota/unlimited.hpp"
#include "anew/sleeper/blocking.hpp"
#include "anew/value/timed_out_result.hpp"

#endif
