// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_ARCHETYPES_HPP
#define ANEW_TESTS_SUPPORT_ARCHETYPES_HPP

#include "anew/testing/archetypes.hpp"

namespace support {

using anew::testing::least_attempt_timeout;
using anew::testing::least_backoff;
using anew::testing::least_classifier;
using anew::testing::least_clock;
using anew::testing::least_deadline;
using anew::testing::least_gate;
using anew::testing::least_hint;
using anew::testing::least_history;
using anew::testing::least_jitter;
using anew::testing::least_max_attempts;
using anew::testing::least_nesting;
using anew::testing::least_observer;
using anew::testing::least_pacer;
using anew::testing::least_quota;
using anew::testing::least_random_source;
using anew::testing::least_remembering_jitter;
using anew::testing::least_reset;

}  // namespace support

#endif
