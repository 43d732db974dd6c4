// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_HPP
#define ANEW_TESTING_HPP

/// Building blocks for tests of code that retries. Needs nothing but the standard library: any test framework will do.
/// The laws, which need GoogleTest, stand apart in anew/testing/laws.hpp.
#include "anew/testing/archetypes.hpp"
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/chaos.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"
#include "anew/testing/scripted_operation.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/statistics.hpp"
#include "anew/testing/test_mode.hpp"

#endif
