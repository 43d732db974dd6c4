// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "anew/aws/preset/amz_retry_after.hpp"

namespace aws_preset_amz_retry_after_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::parse_amz_retry_after;

static_assert(noexcept(parse_amz_retry_after(std::string_view{})));
static_assert(parse_amz_retry_after("1500") == 1500ms);
static_assert(parse_amz_retry_after("+1500") == std::nullopt);

TEST(AmzRetryAfter, PublishedValues) {
  EXPECT_EQ(parse_amz_retry_after("1500"), 1500ms);
  EXPECT_EQ(parse_amz_retry_after("0"), 0ms);
  EXPECT_EQ(parse_amz_retry_after("10000"), 10s);
  EXPECT_EQ(parse_amz_retry_after("invalid"), std::nullopt);
  EXPECT_EQ(parse_amz_retry_after("-100"), std::nullopt);
  EXPECT_EQ(parse_amz_retry_after(""), std::nullopt);
  EXPECT_EQ(parse_amz_retry_after("1500.5"), std::nullopt);
  EXPECT_EQ(parse_amz_retry_after("1e3"), std::nullopt);
  EXPECT_EQ(parse_amz_retry_after("99999999999999999999999"), std::nullopt);
}

// Two that implementations disagree on: whitespace belongs to the field and not to its value; a sign is no digit.
TEST(AmzRetryAfter, WhatIsLeftToTheImplementation) {
  EXPECT_EQ(parse_amz_retry_after(" 1500 "), 1500ms);
  EXPECT_EQ(parse_amz_retry_after("\t1500\t "), 1500ms);
  EXPECT_EQ(parse_amz_retry_after("+1500"), std::nullopt);
}

TEST(AmzRetryAfter, EveryCharacterCounts) {
  EXPECT_EQ(parse_amz_retry_after("1"), 1ms);
  EXPECT_EQ(parse_amz_retry_after("0012"), 12ms);
  EXPECT_EQ(parse_amz_retry_after("9876543210"), 9876543210ms);
  for (auto const* text : {" ", "\t \t", "1 5", "15\n", "\r15", "15ms", "x15", "/", ":", "1/", "1:", "--1"}) {
    EXPECT_EQ(parse_amz_retry_after(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_amz_retry_after(std::string_view("15\0", 3)), std::nullopt);
  EXPECT_EQ(parse_amz_retry_after(std::string_view("1599", 2)), 15ms);
}

TEST(AmzRetryAfter, WhatFitsIn64BitsIsRead) {
  EXPECT_EQ(parse_amz_retry_after("9223372036854775807"), duration::max());
  EXPECT_EQ(parse_amz_retry_after("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_amz_retry_after("9223372036854"), 9223372036854ms);
  EXPECT_EQ(parse_amz_retry_after("9223372036855"), duration::max());
  EXPECT_EQ(parse_amz_retry_after(std::string(30, '0').append("7")), 7ms);
}

TEST(AmzRetryAfter, TheFieldHasAName) { EXPECT_EQ(anew::amz_retry_after_field, "x-amz-retry-after"); }

}  // namespace
}  // namespace aws_preset_amz_retry_after_test
