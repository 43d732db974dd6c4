// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_MANUAL_CLOCK_HPP
#define ANEW_TESTS_SUPPORT_MANUAL_CLOCK_HPP

#include "anew/testing/manual_clock.hpp"

namespace support {

using anew::testing::manual_clock;

}  // namespace support

#endif
