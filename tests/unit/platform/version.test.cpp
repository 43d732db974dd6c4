// SPDX-License-Identifier: BSL-1.0
#include <string>

#include <gtest/gtest.h>

#include "anew/platform/compiler.hpp"
#include "anew/platform/version.hpp"

namespace platform_version_test {

TEST(Version, IsTheOneOfTheProject) { EXPECT_STREQ(ANEW_VERSION_STRING, ANEW_PROJECT_VERSION); }

TEST(Version, StringIsMadeOfItsNumbers) {
  EXPECT_EQ(ANEW_VERSION_STRING, std::to_string(ANEW_VERSION_MAJOR) + "." + std::to_string(ANEW_VERSION_MINOR) + "." +
                                     std::to_string(ANEW_VERSION_PATCH));
}

#define ANEW_TEST_TEXT_2(x) #x
#define ANEW_TEST_TEXT(x) ANEW_TEST_TEXT_2(x)

TEST(Version, NamesTheNamespaceThatHoldsEverything) {
  std::string const name = ANEW_TEST_TEXT(ANEW_ABI);
  std::string version{"v"};  // appended to: g++ 12 warns at -O3 of what operator+ does
  version.append(std::to_string(ANEW_VERSION_MAJOR)).append("_").append(std::to_string(ANEW_VERSION_MINOR));
  EXPECT_EQ(name.substr(0, version.size()), version) << name;
  EXPECT_EQ(name.find("_no_exceptions") != std::string::npos, ANEW_EXCEPTIONS == 0) << name;
#if defined(__cpp_rtti)
  EXPECT_EQ(name.find("_no_rtti"), std::string::npos) << name;
#else
  EXPECT_NE(name.find("_no_rtti"), std::string::npos) << name;
#endif
}
}  // namespace platform_version_test
