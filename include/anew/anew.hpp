// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ANEW_HPP
#define ANEW_ANEW_HPP

/// Everything of the core: policies, composition, the blocking loop. Optional parts, such as polling, have their own
/// headers.

// First, because compilers print through which headers they came to the sentence that explains a mistake.
// clang-format off
#include "anew/strategy/strategy.hpp"
// clang-format on

#include "anew/base/platform/version.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/drivers/blocking_sleeper.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/retry.hpp"
#include "anew/drivers/retry_outcome.hpp"
#include "anew/policies/backoff/constant.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/classifier/retry_if.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/policies/classifier/retry_on.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/policies/quota/unlimited.hpp"
#include "anew/strategy/role_table.hpp"

#endif
