// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_STATISTICS_HPP
#define ANEW_TESTS_SUPPORT_STATISTICS_HPP

#include "anew/testing/statistics.hpp"

namespace support {

using anew::testing::entropy;
using anew::testing::ks_critical;
using anew::testing::ks_distance;
using anew::testing::largest_frequency;
using anew::testing::mean;
using anew::testing::uniform_cdf;
using anew::testing::variance;

}  // namespace support

#endif
