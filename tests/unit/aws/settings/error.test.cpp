// SPDX-License-Identifier: BSL-1.0
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/aws/settings/config_error.hpp"
#include "anew/aws/settings/result.hpp"

namespace aws_settings_error_test {
namespace {

using anew::aws_settings::config_error;
using anew::aws_settings::config_error_kind;
using anew::aws_settings::result;
using anew::detail::shown;
using namespace std::string_literals;

static_assert(std::is_base_of_v<std::runtime_error, config_error>);
static_assert(std::is_nothrow_copy_constructible_v<config_error> && std::is_copy_assignable_v<config_error>);

TEST(ConfigError, SaysWhatItKnows) {
  config_error const in_file{config_error_kind::invalid_mode, "f", 7, "retry_mode", "x", "is wrong; valid is y"};
  EXPECT_STREQ(in_file.what(), "f:7: retry_mode = x: is wrong; valid is y");
  EXPECT_EQ(in_file.kind(), config_error_kind::invalid_mode);
  EXPECT_EQ(in_file.file(), "f");
  EXPECT_EQ(in_file.line(), 7U);
  EXPECT_EQ(in_file.setting(), "retry_mode");
  EXPECT_EQ(in_file.value(), "x");
  EXPECT_STREQ((config_error{config_error_kind::config_file, "f", 7, "", "", "is wrong"}.what()), "f:7: is wrong");
  EXPECT_STREQ((config_error{config_error_kind::unreadable, "f", 0, "", "", "is wrong"}.what()), "f: is wrong");
}

TEST(ConfigError, ACopyKeepsEverything) {
  config_error copy{config_error_kind::config_file, "", 0, "", "", ""};
  {
    config_error const error{config_error_kind::invalid_mode, "f", 7, "retry_mode", "x", "is wrong"};
    copy = error;
  }
  EXPECT_STREQ(copy.what(), "f:7: retry_mode = x: is wrong");
  EXPECT_EQ(copy.value(), "x");
}

TEST(ConfigError, AMessageIsOneLine) {
  EXPECT_EQ(shown("plain"), "plain");
  EXPECT_EQ(shown("in ner"), "in ner");
  EXPECT_EQ(shown(""), "\"\"");
  EXPECT_EQ(shown(" x"), "\" x\"");
  EXPECT_EQ(shown("x "), "\"x \"");
  EXPECT_EQ(shown("a\nb\r\t\x1B[31m\x7F\x01\x1F\x00z"s), "a\\nb\\x0d\\x09\\x1b[31m\\x7f\\x01\\x1f\\x00z");
  EXPECT_EQ(shown("\xC3\xA4 ~"), "\xC3\xA4 ~");
}

TEST(ConfigError, LongValuesAreCutBetweenCharacters) {
  EXPECT_EQ(shown(std::string(80, 'x')), std::string(80, 'x'));
  EXPECT_EQ(shown(std::string(81, 'x')), std::string(80, 'x') + "...");
  auto const at_the_edge = std::string(79, 'x') + "\xE2\x82\xAC";  // three bytes, from the 80th to the 82nd
  EXPECT_EQ(shown(at_the_edge), at_the_edge);
  EXPECT_EQ(shown(at_the_edge + "y"), at_the_edge + "...");
  EXPECT_EQ(shown(std::string(500, '\x80')), std::string(84, '\x80') + "...") << "no text in UTF-8, and still cut";
}

TEST(ConfigResult, HoldsOneOfTwo) {
  result<std::string> good{"value"};
  ASSERT_TRUE(good);
  EXPECT_TRUE(good.has_value());
  EXPECT_EQ(*good, "value");
  EXPECT_EQ(good->size(), 5U);
  EXPECT_EQ(good.value(), "value");
  EXPECT_EQ(std::move(good).value(), "value");

  result<std::string> const bad{config_error{config_error_kind::config_file, "f", 1, "", "", "is wrong"}};
  ASSERT_FALSE(bad);
  EXPECT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().file(), "f");
  EXPECT_THROW(static_cast<void>(bad.value()), config_error);
  EXPECT_THROW(static_cast<void>(result<std::string>{bad}.value()), config_error);
}

}  // namespace
}  // namespace aws_settings_error_test
