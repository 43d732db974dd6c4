// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/ports/aws/profile_file.hpp"
#include "anew/ports/aws/settings.hpp"

#include "config_support.hpp"
#include "length.hpp"

namespace aws_settings_profile_file_test {
namespace {

using anew::aws_settings::config_error, anew::aws_settings::config_error_kind, anew::aws_settings::file_flavour,
    anew::aws_settings::profile_file;
using testing::HasSubstr;
using namespace std::string_literals;

profile_file read(std::string_view text, file_flavour flavour = file_flavour::config) {
  auto file = profile_file::parse(text, flavour, "f");
  EXPECT_TRUE(file.has_value()) << (file ? "" : file.error().what());
  return file ? *file : profile_file{};
}

std::optional<std::string> value(profile_file const& file, std::string_view key, std::string_view profile = "default") {
  auto const* const p = file.find(profile, key);
  return p != nullptr ? std::optional{p->value} : std::nullopt;
}

/// Reads `text` below a section, on its second line.
std::optional<std::string> value_of(std::string_view key, std::string const& text) {
  return value(read("[default]\n" + text), key);
}

void expect_broken(std::string_view text, std::size_t line, std::string const& what,
                   file_flavour flavour = file_flavour::config) {
  auto const file = profile_file::parse(text, flavour, "some/path");
  ASSERT_FALSE(file.has_value()) << text;
  EXPECT_EQ(file.error().kind(), config_error_kind::config_file);
  EXPECT_EQ(file.error().file(), "some/path");
  EXPECT_EQ(file.error().line(), line) << text;
  EXPECT_THAT(file.error().what(), HasSubstr("some/path:" + std::to_string(line) + ": " + what));
  EXPECT_THAT(file.error().what(), HasSubstr("; valid "));
}

TEST(ProfileFile, OfNothingHasNothing) {
  EXPECT_TRUE(read("").sections().empty());
  EXPECT_TRUE(read("# hello\n; there\n\n   \n\t\n").sections().empty());
  EXPECT_FALSE(read("").has_profile("default"));
  EXPECT_EQ(read("").find("default", "a"), nullptr);
}

std::string of_lines(std::size_t count, std::string_view line) {
  std::string text{"[default]\n"};
  for (std::size_t i = 1; i != count; ++i) text.append(line).append("\n");
  return text;
}

TEST(ProfileFile, WhatIsAtALimitIsReadAndOneMoreIsRefused) {
  namespace limits = anew::aws_settings::file_limits;
  auto const longest_line = "a=" + std::string(limits::line_bytes - 2, 'x');
  EXPECT_EQ(value_of("a", longest_line)->size(), limits::line_bytes - 2);
  EXPECT_EQ(value_of("a", longest_line + "\r\n")->size(), limits::line_bytes - 2) << "without the end of the line";
  expect_broken("[default]\n" + longest_line + "x", 2, "a line is too long; valid are lines of at most 65536 bytes");
  expect_broken("[default]\n#" + longest_line, 2, "a line is too long");

  auto const most = of_lines(limits::properties, "a=1");
  EXPECT_EQ(read(most).sections().at(0).properties.size(), limits::properties - 1);
  expect_broken(most + "a=1", limits::properties + 1, "the file has too many sections and properties");
  expect_broken(most + "[profile x]", limits::properties + 1, "the file has too many sections and properties");
  EXPECT_TRUE(read(most + "not-a-name!=1\n[other]\na=1").has_profile("default")) << "what is skipped does not count";

  std::string text{"[default]\n"};
  while (text.size() < limits::bytes) text.append(limits::line_bytes, '#') += '\n';
  text.resize(limits::bytes);
  EXPECT_TRUE(read(text).has_profile("default"));
  expect_broken(text + "#", 65, "the file is larger than 4 MiB; valid are files of at most 4194304 bytes");
}

TEST(ProfileFile, PropertiesKeepTheirLines) {
  auto const file = read("# first\n[default]\n\na = 1\n[profile x]\nb=2\n  more\nc = 3");
  EXPECT_EQ(file.name(), "f");
  ASSERT_NE(file.find("default", "a"), nullptr);
  EXPECT_EQ(file.find("default", "a")->line, 4U);
  EXPECT_EQ(file.find("x", "b")->line, 6U);
  EXPECT_EQ(file.find("x", "c")->line, 8U);
  EXPECT_EQ(file.sections().at(0).line, 2U);
  EXPECT_EQ(file.sections().at(1).line, 5U);
}

TEST(ProfileFile, TrimsKeysAndValues) {
  EXPECT_EQ(value_of("a", "a=b"), "b");
  EXPECT_EQ(value_of("a", "a \t = \t b c \t "), "b c");
  EXPECT_EQ(value_of("a", "a ="), "");
  EXPECT_EQ(value_of("a", "a = b = c"), "b = c");
  EXPECT_EQ(value_of("a", "a ==b"), "=b");
  EXPECT_EQ(value_of("a", "a = \xC2\xA0"), "\xC2\xA0") << "a space of Unicode is none here";
}

TEST(ProfileFile, LinesEndAtLineFeeds) {
  EXPECT_EQ(value_of("a", "a = b\r\nc = d\r\n"), "b");
  EXPECT_EQ(value_of("c", "a = b\r\nc = d\r"), "d") << "one CR is dropped at the end of the text as well";
  EXPECT_EQ(value_of("a", "a = b\r\r\n"), "b\r") << "one, not all";
  EXPECT_EQ(value_of("a", "a = b\rc = d\n"), "b\rc = d") << "a lone CR ends nothing";
  expect_broken("[default]\ra = b\r", 1, "a section does not end with ]");
}

TEST(ProfileFile, CommentsOfProperties) {
  EXPECT_EQ(value_of("a", "a = b # c"), "b");
  EXPECT_EQ(value_of("a", "a = b\t; c # d"), "b");
  EXPECT_EQ(value_of("a", "a = b#c"), "b#c") << "not after a blank";
  EXPECT_EQ(value_of("a", "a = b;c # d"), "b;c");
  EXPECT_EQ(value_of("a", "a = # c"), "");
  EXPECT_EQ(value_of("a", "a =#c"), "#c");
  EXPECT_EQ(value_of("a", "#a = b\n;a = c\n"), std::nullopt);
  expect_broken("[default]\na # = b\n", 2, "a property has no =");
}

TEST(ProfileFile, CommentsOfSectionsMayTouchThem) {
  EXPECT_EQ(value(read("[default]# c\na = b"), "a"), "b");
  EXPECT_EQ(value(read("[default] ; c ]\na = b"), "a"), "b");
  expect_broken("[default#]\na = b", 1, "a section does not end with ]");
  expect_broken("[default;]", 1, "a section does not end with ]");
}

TEST(ProfileFile, Sections) {
  EXPECT_EQ(value(read("[ \tdefault\t ] \t\na = b"), "a"), "b");
  EXPECT_EQ(value(read("[profile x]\na = b"), "a", "x"), "b");
  EXPECT_EQ(value(read("[ profile\t \tx ]\na = b"), "a", "x"), "b");
  EXPECT_EQ(value(read("[profile X]\na = b"), "a", "x"), std::nullopt) << "names have a case";
  expect_broken("[default\n", 1, "a section does not end with ]");
  expect_broken("[default] x\n", 1, "a section does not end with ]");
  expect_broken("[\n", 1, "a section does not end with ]");
}

TEST(ProfileFile, SectionsThatAreNoProfilesAreSkipped) {
  for (auto const* const section : {"[x]", "[profilex]", "[profile]", "[profile ]", "[PROFILE x]", "[Profile x]",
                                    "[services x]", "[sso-session x]", "[]", "[  ]", "[profile \"x\"]", "[profile x y]",
                                    "[profile x]]", "[profile x*]", "[Default]", "[profile \xC3\xA4]"}) {
    auto const file = read("[default]\na = 1\n"s + section + "\na = 2\nb = 2\n  c\n");
    EXPECT_EQ(file.sections().size(), 1U) << section;
    EXPECT_EQ(value(file, "a"), "1") << section;
    EXPECT_EQ(value(file, "b"), std::nullopt) << section;
    EXPECT_EQ(value(file, "a", "x"), std::nullopt) << section;
  }
}

TEST(ProfileFile, WhatIsSkippedIsChecked) {
  expect_broken("[services x]\na\n", 2, "a property has no =");
  expect_broken("[x y z]\n  a = b\n", 2, "a line that begins with a blank");
  expect_broken("[x]\na b =\n  c\n", 3, "a property has no =");
}

TEST(ProfileFile, NamesHaveTheseCharacters) {
  EXPECT_TRUE(read("[profile azAZ09_-/.%@:+]\n").has_profile("azAZ09_-/.%@:+"));
  for (char const c : " \t!\"$&'()*,<=>?[\\]^`{|}~"s)
    EXPECT_TRUE(read("[profile x"s + c + "y]\n").sections().empty()) << "'" << c << "'";
  EXPECT_EQ(value_of("a.b:c/d%e@f+g-h_0", "A.b:c/d%e@f+g-h_0 = 1\n"), "1");
}

TEST(ProfileFile, CredentialsHaveNamesOnly) {
  auto const file =
      read("[default]\na = 1\n[x]\na = 2\n[profile x]\na = 3\n[profile]\na = 4\n", file_flavour::credentials);
  EXPECT_EQ(value(file, "a"), "1");
  EXPECT_EQ(value(file, "a", "x"), "2");
  EXPECT_EQ(value(file, "a", "profile"), "4");
  EXPECT_EQ(file.sections().size(), 3U);
}

TEST(ProfileFile, KeysHaveNoCase) {
  EXPECT_EQ(value_of("retry_mode", "RETRY_Mode = A"), "A");
  EXPECT_EQ(value_of("a", "A = 1\na = 2\n"), "2");
  EXPECT_EQ(value_of("a", "a = 1\nA = 2\n"), "2");
}

TEST(ProfileFile, PropertiesWithOtherKeysAreSkipped) {
  auto const file = read("[default]\na = 1\nb c = 2\n  more\nd = 3\n");
  EXPECT_EQ(value(file, "a"), "1") << "the continuation is not of a";
  EXPECT_EQ(file.sections().at(0).properties.size(), 2U);
  EXPECT_EQ(value(file, "d"), "3");
}

TEST(ProfileFile, EqualSectionsAreOne) {
  auto const file = read("[default]\na = 1\nb = 1\n[profile x]\na = 9\n[default]\nb = 2\nc = 3\n");
  EXPECT_EQ(value(file, "a"), "1");
  EXPECT_EQ(value(file, "b"), "2");
  EXPECT_EQ(value(file, "c"), "3");
  EXPECT_EQ(value(file, "a", "x"), "9");
}

TEST(ProfileFile, TheLastOfEqualKeysCounts) {
  auto const file = read("[default]\na = 1\na = 2\n");
  EXPECT_EQ(file.find("default", "a")->value, "2");
  EXPECT_EQ(file.find("default", "a")->line, 3U);
}

TEST(ProfileFile, ProfileDefaultReplacesDefault) {
  for (auto const* const text :
       {"[profile default]\na = 1\n[default]\nb = 2\na = 3\n", "[default]\nb = 2\na = 3\n[profile default]\na = 1\n"}) {
    auto const file = read(text);
    EXPECT_EQ(value(file, "a"), "1") << text;
    EXPECT_EQ(value(file, "b"), std::nullopt) << text;
    EXPECT_TRUE(file.has_profile("default"));
  }
  EXPECT_EQ(value(read("[profile x]\na = 1\n[default]\na = 2\n"), "a"), "2") << "only [profile default] does";
}

TEST(ProfileFile, Continuations) {
  EXPECT_EQ(value_of("a", "a = b\n  c\n\td \t\n"), "b\nc\nd");
  EXPECT_EQ(value_of("a", "a = b\n # c\n"), "b\n# c") << "an indented comment is text";
  EXPECT_EQ(value_of("a", "a = b\n c # d\n"), "b\nc # d");
  EXPECT_EQ(value_of("a", "a = b\n# c\n\n \t\n d\n"), "b\nd") << "what is skipped separates nothing";
  EXPECT_EQ(value_of("max_attempts", "a = b\n  max_attempts = 5\n"), std::nullopt);
  EXPECT_EQ(value_of("a", "a = b\n  c = d\n"), "b\nc = d");
  EXPECT_EQ(value_of("b", "a = 1\nb = 2\n  c\n"), "2\nc");
  EXPECT_EQ(value_of("a", "a = b\n [default]\n"), "b\n[default]");
}

TEST(ProfileFile, ContinuationsNeedAProperty) {
  expect_broken(" a = b\n", 1, "a line that begins with a blank");
  expect_broken("\t[default]\n", 1, "a line that begins with a blank");
  expect_broken("[default]\n a = b\n", 2, "a line that begins with a blank");
  expect_broken("[default]\na = b\n[default]\n  c\n", 4, "a line that begins with a blank");
}

TEST(ProfileFile, SubPropertiesAreNoSettings) {
  auto const file = read("[default]\ns3 =\n  max_attempts = 5\n\t \n\tretry_mode =\n  in valid = 1\na = 2\n");
  EXPECT_EQ(value(file, "max_attempts"), std::nullopt);
  EXPECT_EQ(value(file, "retry_mode"), std::nullopt);
  EXPECT_EQ(value(file, "s3"), "\nmax_attempts = 5\nretry_mode =\nin valid = 1");
  EXPECT_EQ(value(file, "a"), "2");
  expect_broken("[default]\ns3 =\n  bogus\n", 3, "a property has no =");
  expect_broken("[default]\ns3 =\n  = bogus\n", 3, "a property has no key");
  expect_broken("[default]\ns3 =\n  a # = b\n", 3, "a property has no =");
  expect_broken("[default]\ns3 =\n  a = b\n  bogus\n", 4, "a property has no =");
  expect_broken("[default]\ns3 = # nothing\n  bogus\n", 3, "a property has no =");
}

TEST(ProfileFile, PropertiesNeedASectionAnEqualsSignAndAKey) {
  expect_broken("a = b\n[default]\n", 1, "a property stands before the first section");
  expect_broken("# c\n\na\n", 3, "a property stands before the first section");
  expect_broken("[default]\na\n", 2, "a property has no =");
  expect_broken("[default]\na: b\n", 2, "a property has no =");
  expect_broken("[default]\n= b\n", 2, "a property has no key");
  expect_broken("[default]\n\r\n\n=\n", 4, "a property has no key");
}

TEST(ProfileFile, NoByteOrderMarks) {
  expect_broken("\xEF\xBB\xBF[default]\na = b\n", 1, "the file begins with a byte order mark");
  expect_broken("\xEF\xBB\xBF", 1, "the file begins with a byte order mark");
  expect_broken("\xFF\xFE[\0"s, 1, "the file is UTF-16");
  expect_broken("\xFE\xFF\0["s, 1, "the file is UTF-16");
}

TEST(ProfileFile, AnErrorQuotesNothing) {
  auto const file =
      profile_file::parse("[default]\naws_secret_access_key wJalrXUtnFEMI\n", file_flavour::credentials, "f");
  ASSERT_FALSE(file.has_value());
  EXPECT_THAT(file.error().what(), testing::Not(HasSubstr("wJalr")));
  EXPECT_EQ(file.error().value(), "");
  EXPECT_EQ(file.error().setting(), "");
}

TEST(ProfileFile, AnythingElseIsAByte) { EXPECT_EQ(value_of("a", "a = \0b\xFF\n"s), "\0b\xFF"s); }

TEST(ProfileFile, IsLinear) {
  // Quadratic in any of these would be minutes.
  std::string sections, keys, lines{"[default]\na = b\n"};
  for (int i = 0; i != 50'000; ++i) {
    auto const number = std::to_string(i);
    sections.append("[profile p").append(number).append("]\n");
    keys.append(i == 0 ? "[default]\n" : "k").append(i == 0 ? "" : number).append(i == 0 ? "" : " = v\n");
    lines += " x\n";
  }
  EXPECT_EQ(read(sections).sections().size(), 50'000U);
  EXPECT_EQ(read(keys).sections().at(0).properties.size(), 49'999U);
  EXPECT_EQ(value(read(lines), "a")->size(), 100'001U);
}

}  // namespace
}  // namespace aws_settings_profile_file_test
