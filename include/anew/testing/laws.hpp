// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_HPP
#define ANEW_TESTING_LAWS_HPP

/// The laws of all concepts, as suites of typed tests for policies of your own. Needs GoogleTest; the headers in
/// anew/testing/laws say how a suite is run, and each stands alone.
#include "anew/testing/laws/attempt_timeout.hpp"
#include "anew/testing/laws/backoff.hpp"
#include "anew/testing/laws/classifier.hpp"
#include "anew/testing/laws/clock.hpp"
#include "anew/testing/laws/deadline.hpp"
#include "anew/testing/laws/gate.hpp"
#include "anew/testing/laws/hint.hpp"
#include "anew/testing/laws/jitter.hpp"
#include "anew/testing/laws/max_attempts.hpp"
#include "anew/testing/laws/pacer.hpp"
#include "anew/testing/laws/quota.hpp"
#include "anew/testing/laws/random_source.hpp"
#include "anew/testing/laws/reset.hpp"
#include "anew/testing/laws/strategy.hpp"

#endif
