// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_SCRIPTED_RANDOM_HPP
#define ANEW_TESTS_SUPPORT_SCRIPTED_RANDOM_HPP

#include "anew/testing/scripted_random.hpp"

namespace support {

using anew::testing::highest_word;
using anew::testing::lowest_word;
using anew::testing::middle_word;
using anew::testing::scripted_random;
using anew::testing::seeded_random;

}  // namespace support

#endif
