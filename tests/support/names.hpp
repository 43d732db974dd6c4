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
using anew::delay_origin, anew::directive, anew::duration, anew::error_fault, anew::error_kind, anew::failure,
    anew::rational, anew::retry_safety, anew::stop_reason, anew::testing::advancing_sleeper,
    anew::testing::highest_word, anew::testing::lowest_word, anew::testing::manual_clock,
    anew::testing::recording_sleeper, anew::testing::scripted_random, anew::time_point;
using durations = std::vector<duration>;
inline constexpr auto no_sleep = [](duration /*delay*/) {};

#endif
