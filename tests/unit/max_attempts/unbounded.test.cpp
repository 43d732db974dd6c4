// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/max_attempts/unbounded.hpp"

namespace max_attempts_unbounded_test {
namespace {

TEST(Unbounded, AlwaysPermitsAnother) {
  for (std::uint32_t made : {1U, 2U, 3U, 1000U, ~0U - 1, ~0U}) EXPECT_TRUE(anew::unbounded::permits_another(made));
  EXPECT_EQ(anew::unbounded::describe(), "unbounded");
  static_assert(std::is_empty_v<anew::unbounded>);
}

}  // namespace
}  // namespace max_attempts_unbounded_test
