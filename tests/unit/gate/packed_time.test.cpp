// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>

#include <gtest/gtest.h>

#include "anew/policies/gate/internal/breaker_word.hpp"

namespace gate_packed_time_test {
namespace {

using namespace std::chrono_literals;
using anew::detail::pack_time;
using anew::detail::unpack_time;
using anew::time_point;

constexpr std::uint64_t end = std::uint64_t{1} << anew::detail::packed_time_bits;

TEST(PackedTime, IsRoundedUpToTheMillisecond) {
  struct row {
    anew::duration time, comes_back;
  };
  for (auto const& [time, comes_back] : {row{0s, 0s},
                                         {1ms, 1ms},
                                         {-1ms, -1ms},
                                         {8'000'000'000s, 8'000'000'000s},
                                         {-8'000'000'000s, -8'000'000'000s},
                                         {1ns, 1ms},
                                         {999'999ns, 1ms},
                                         {1'000'001ns, 2ms},
                                         {-1ns, 0s},
                                         {-1'000'001ns, -1ms}}) {
    EXPECT_EQ(unpack_time(pack_time(time_point{time})), time_point{comes_back}) << time.count();
  }
}

TEST(PackedTime, FitsWhateverTheTime) {
  EXPECT_EQ(pack_time(time_point::max()), end - 1);
  EXPECT_EQ(pack_time(time_point::min()), 1U);
  EXPECT_EQ(unpack_time(0), time_point::min());
  EXPECT_LT(unpack_time(0), unpack_time(1));
  EXPECT_GT(unpack_time(end - 1), time_point{24h * 365 * 278});
}

}  // namespace
}  // namespace gate_packed_time_test
