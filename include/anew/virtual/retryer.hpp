// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VIRTUAL_RETRYER_HPP
#define ANEW_VIRTUAL_RETRYER_HPP

/// The retryer of the smithy-kotlin design document as classes: anew::smithy_kotlin.

#include "anew/virtual/retryer/acceptor_retry_policy.hpp"
#include "anew/virtual/retryer/attempt_result.hpp"
#include "anew/virtual/retryer/backoff_delayer.hpp"
#include "anew/virtual/retryer/exponential_backoff_with_jitter.hpp"
#include "anew/virtual/retryer/retry_directive.hpp"
#include "anew/virtual/retryer/retry_failure.hpp"
#include "anew/virtual/retryer/retry_policy.hpp"
#include "anew/virtual/retryer/retry_strategy.hpp"
#include "anew/virtual/retryer/retry_token_bucket.hpp"
#include "anew/virtual/retryer/standard_retry_policy.hpp"
#include "anew/virtual/retryer/standard_retry_strategy.hpp"
#include "anew/virtual/retryer/standard_retry_token_bucket.hpp"
#include "anew/virtual/retryer/time_source.hpp"
#include "anew/virtual/retryer/without_exceptions.hpp"

#endif
