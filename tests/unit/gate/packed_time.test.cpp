// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>

#include <gtest/gtest.h>

#include "anew/gate/internal/packed_time.hpp"

namespace gate_packed_time_test {
namespace {

using namespace std::chrono_literals;
using anew::detail::pack_time;
using anew::detail::unpack_time;
using anew::time_point;

constexpr std::uint64_t end = std::uint64_t{1} << anew::detail::packed_time_bits;

TEST(PackedTime, WholeMillisecondsComeBack) {
  for (auto const t :
       {time_point{0s}, time_point{1ms}, time_point{-1ms}, time_point{8'000'000'000s}, time_point{-8'000'000'000s}}) {
    EXPECT_EQ(unpack_time(pack_time(t)), t);
  }
}

TEST(PackedTime, IsRoundedUp) {
  EXPECT_EQ(unpack_time(pack_time(time_point{1ns})), time_point{1ms});
  EXPECT_EQ(unpack_time(pack_time(time_point{999'999ns})), time_point{1ms});
  EXPECT_EQ(unpack_time(pack_time(time_point{1'000'001ns})), time_point{2ms});
  EXPECT_EQ(unpack_time(pack_time(time_point{-1ns})), time_point{0ms});
  EXPECT_EQ(unpack_time(pack_time(time_point{-1'000'001ns})), time_point{-1ms});
}

TEST(PackedTime, FitsWhateverTheTime) {
  EXPECT_EQ(pack_time(time_point::max()), end - 1);
  EXPECT_EQ(pack_time(time_point::min()), 1U);
  EXPECT_GT(unpack_time(end - 1), time_point{24h * 365 * 278});
}

TEST(PackedTime, NothingIsBeforeEverything) {
  EXPECT_EQ(unpack_time(0), time_point::min());
  EXPECT_LT(unpack_time(0), unpack_time(1));
}

TEST(PackedTime, KeepsTheOrder) {
  EXPECT_LT(pack_time(time_point{-5s}), pack_time(time_point{-4s}));
  EXPECT_LT(pack_time(time_point{-4s}), pack_time(time_point{0s}));
  EXPECT_LT(pack_time(time_point{0s}), pack_time(time_point{1ms}));
}

}  // namespace
}  // namespace gate_packed_time_test
