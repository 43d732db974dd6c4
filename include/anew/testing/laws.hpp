// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_HPP
#define ANEW_TESTING_LAWS_HPP

/// The laws of all concepts, as suites of typed tests for policies of your own. Needs GoogleTest; the headers in
/// anew/testing/laws say how a suite is run, and each stands alone.
#include "anew/testing/laws/delays.hpp"
#include "anew/testing/laws/gate.hpp"
#include "anew/testing/laws/limits.hpp"
#include "anew/testing/laws/pacer.hpp"
#include "anew/testing/laws/quota.hpp"
#include "anew/testing/laws/verdicts.hpp"

#endif
