// SPDX-License-Identifier: BSL-1.0
#include <string>

#include <gtest/gtest.h>

#include "anew/version.hpp"

TEST(Version, IsTheOneOfTheProject) { EXPECT_STREQ(ANEW_VERSION_STRING, ANEW_PROJECT_VERSION); }

TEST(Version, StringIsMadeOfItsNumbers) {
  EXPECT_EQ(ANEW_VERSION_STRING, std::to_string(ANEW_VERSION_MAJOR) + "." + std::to_string(ANEW_VERSION_MINOR) + "." +
                                     std::to_string(ANEW_VERSION_PATCH));
}
