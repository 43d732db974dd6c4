// SPDX-License-Identifier: BSL-1.0
/// The names that most tests use, so that the `using`s of a test show what it is about.
#ifndef ANEW_TESTS_SUPPORT_NAMES_HPP
#define ANEW_TESTS_SUPPORT_NAMES_HPP

#include <chrono>
#include <vector>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/hint.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

using namespace std::chrono_literals;
using anew::delay_origin;
using anew::directive;
using anew::duration;
using anew::error_fault;
using anew::error_kind;
using anew::failure;
using anew::rational;
using anew::retry_safety;
using anew::stop_reason;
using anew::testing::advancing_sleeper;
using anew::testing::highest_word;
using anew::testing::lowest_word;
using anew::testing::manual_clock;
using anew::testing::recording_sleeper;
using anew::testing::scripted_random;
using anew::time_point;
using durations = std::vector<duration>;

#endif
