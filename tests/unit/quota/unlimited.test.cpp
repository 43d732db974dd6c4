// SPDX-License-Identifier: BSL-1.0
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/quota/unlimited.hpp"

namespace quota_unlimited_test {
namespace {

TEST(UnlimitedQuota, NeverRefuses) {
  anew::unlimited_quota const q;
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(q.try_acquire(anew::failure{}).has_value());
  q.on_success({});
  q.release({});
  static_assert(std::is_empty_v<anew::unlimited_quota> && std::is_empty_v<anew::unlimited_quota::permit_type>);
}

}  // namespace
}  // namespace quota_unlimited_test
