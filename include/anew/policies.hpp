// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_HPP
#define ANEW_POLICIES_HPP

/// The core and the whole catalogue: every policy there is. Each has a header of its own too; docs/reference/policies.md
/// has all of them in one table. It costs what `<memory>` and `<unordered_map>` cost more than the core.

#include "anew/adjusted.hpp"
#include "anew/anew.hpp"
#include "anew/backoff/fibonacci.hpp"
#include "anew/backoff/floor.hpp"
#include "anew/backoff/immediate_first.hpp"
#include "anew/backoff/linear.hpp"
#include "anew/backoff/per_kind.hpp"
#include "anew/backoff/phases.hpp"
#include "anew/backoff/sequence.hpp"
#include "anew/backoff/sum.hpp"
#include "anew/classifier/any_of.hpp"
#include "anew/classifier/caused_by.hpp"
#include "anew/classifier/error_code.hpp"
#include "anew/classifier/first_of.hpp"
#include "anew/classifier/idempotent_only.hpp"
#include "anew/classifier/not.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/gate/cool_down.hpp"
#include "anew/gate/rate_breaker.hpp"
#include "anew/hint/jittered_hint.hpp"
#include "anew/jitter/cap_after_draw.hpp"
#include "anew/jitter/polly_decorrelated.hpp"
#include "anew/jitter/proportional.hpp"
#include "anew/limit/per_kind.hpp"
#include "anew/nesting/nesting_guard.hpp"
#include "anew/observer/fan_out.hpp"
#include "anew/observer/history.hpp"
#include "anew/observer/severity.hpp"
#include "anew/quota/concurrency_budget.hpp"
#include "anew/quota/long_poll.hpp"
#include "anew/quota/refilling_bucket.hpp"
#include "anew/quota/retry_budget.hpp"
#include "anew/quota/retry_throttle.hpp"
#include "anew/reset/reset_after.hpp"
#include "anew/sharing/borrowed.hpp"
#include "anew/sharing/partitioned.hpp"
#include "anew/sharing/shared.hpp"

#endif
