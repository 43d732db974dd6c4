// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SMITHY_KOTLIN_HPP
#define ANEW_SMITHY_KOTLIN_HPP

/// The retryer of the smithy-kotlin design document as classes: anew::smithy_kotlin.

#include "anew/ports/smithy_kotlin/backoff_delayer.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/retry_policy.hpp"
#include "anew/ports/smithy_kotlin/retry_strategy.hpp"
#include "anew/ports/smithy_kotlin/retry_token_bucket.hpp"
#include "anew/ports/smithy_kotlin/standard_retry_strategy.hpp"

#endif
