// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_RECORDING_QUOTA_HPP
#define ANEW_TESTS_SUPPORT_RECORDING_QUOTA_HPP

#include "anew/testing/audited_quota.hpp"

namespace support {

using recording_quota = anew::testing::audited_quota;

}  // namespace support

#endif
