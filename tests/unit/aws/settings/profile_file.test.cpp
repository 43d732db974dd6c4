// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
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

TEST(ProfileFile, Properties) {
  struct row {
    char const* text;  // below a section
    char const* key;
    std::optional<std::string> is_read;
  };
  for (
      auto const& [text, key, is_read] :
      {// Keys and values are trimmed; a space of Unicode is none here.
       row{"a=b", "a", "b"}, row{"a \t = \t b c \t ", "a", "b c"}, row{"a =", "a", ""}, row{"a = b = c", "a", "b = c"},
       row{"a ==b", "a", "=b"}, row{"a = \xC2\xA0", "a", "\xC2\xA0"},
       // Lines end at line feeds, of which one CR before is a part, at the end of the text too; a lone CR ends nothing.
       row{"a = b\r\nc = d\r\n", "a", "b"}, row{"a = b\r\nc = d\r", "c", "d"}, row{"a = b\r\r\n", "a", "b\r"},
       row{"a = b\rc = d\n", "a", "b\rc = d"},
       // A comment of a property follows a blank.
       row{"a = b # c", "a", "b"}, row{"a = b\t; c # d", "a", "b"}, row{"a = b#c", "a", "b#c"},
       row{"a = b;c # d", "a", "b;c"}, row{"a = # c", "a", ""}, row{"a =#c", "a", "#c"},
       row{"#a = b\n;a = c\n", "a", std::nullopt},
       // Keys have no case, and the last of equal ones counts.
       row{"RETRY_Mode = A", "retry_mode", "A"}, row{"A = 1\na = 2\n", "a", "2"}, row{"a = 1\nA = 2\n", "a", "2"},
       // Continuations: an indented comment is text, and what is skipped separates nothing.
       row{"a = b\n  c\n\td \t\n", "a", "b\nc\nd"}, row{"a = b\n # c\n", "a", "b\n# c"},
       row{"a = b\n c # d\n", "a", "b\nc # d"}, row{"a = b\n# c\n\n \t\n d\n", "a", "b\nd"},
       row{"a = b\n  max_attempts = 5\n", "max_attempts", std::nullopt}, row{"a = b\n  c = d\n", "a", "b\nc = d"},
       row{"a = 1\nb = 2\n  c\n", "b", "2\nc"}, row{"a = b\n [default]\n", "a", "b\n[default]"}}) {
    EXPECT_EQ(value_of(key, text), is_read) << text;
  }
}

TEST(ProfileFile, SaysWhereItIsBroken) {
  using at = std::pair<std::string, std::size_t>;  // a text, and the line
  struct row {
    std::string what;
    std::vector<at> texts;
  };
  for (auto const& [what, texts] :
       {row{"a section does not end with ]",
            {at{"[default]\ra = b\r", 1}, at{"[default#]\na = b", 1}, at{"[default;]", 1}, at{"[default\n", 1},
             at{"[default] x\n", 1}, at{"[\n", 1}}},
        row{"a property has no =",
            {at{"[default]\na # = b\n", 2}, at{"[services x]\na\n", 2}, at{"[x]\na b =\n  c\n", 3},
             at{"[default]\na\n", 2}, at{"[default]\na: b\n", 2}, at{"[default]\ns3 =\n  bogus\n", 3},
             at{"[default]\ns3 =\n  a # = b\n", 3}, at{"[default]\ns3 =\n  a = b\n  bogus\n", 4},
             at{"[default]\ns3 = # nothing\n  bogus\n", 3}}},
        row{"a property has no key",
            {at{"[default]\n= b\n", 2}, at{"[default]\n\r\n\n=\n", 4}, at{"[default]\ns3 =\n  = bogus\n", 3}}},
        row{"a property stands before the first section", {at{"a = b\n[default]\n", 1}, at{"# c\n\na\n", 3}}},
        row{"a line that begins with a blank",
            {at{" a = b\n", 1}, at{"\t[default]\n", 1}, at{"[default]\n a = b\n", 2}, at{"[x y z]\n  a = b\n", 2},
             at{"[default]\na = b\n[default]\n  c\n", 4}}},
        row{"the file begins with a byte order mark", {at{"\xEF\xBB\xBF[default]\na = b\n", 1}, at{"\xEF\xBB\xBF", 1}}},
        row{"the file is UTF-16", {at{"\xFF\xFE[\0"s, 1}, at{"\xFE\xFF\0["s, 1}}}}) {
    for (auto const& [text, line] : texts) expect_broken(text, line, what);
  }
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

TEST(ProfileFile, NamesHaveTheseCharacters) {
  EXPECT_TRUE(read("[profile azAZ09_-/.%@:+]\n").has_profile("azAZ09_-/.%@:+"));
  for (char const c : " \t!\"$&'()*,<=>?[\\]^`{|}~"s)
    EXPECT_TRUE(read("[profile x"s + c + "y]\n").sections().empty()) << "'" << c << "'";
  EXPECT_EQ(value_of("a.b:c/d%e@f+g-h_0", "A.b:c/d%e@f+g-h_0 = 1\n"), "1");
}

TEST(ProfileFile, Profiles) {
  using found = std::tuple<char const*, char const*, std::optional<std::string>>;  // a profile, a key, the value
  struct row {
    char const* text;
    std::vector<found> values;
    std::size_t sections = 1;
    file_flavour flavour = file_flavour::config;
  };
  constexpr auto none = std::nullopt;
  for (auto const& [text, values, sections, flavour] :
       {row{"[default]# c\na = b", {{"default", "a", "b"}}}, row{"[default] ; c ]\na = b", {{"default", "a", "b"}}},
        row{"[ \tdefault\t ] \t\na = b", {{"default", "a", "b"}}}, row{"[profile x]\na = b", {{"x", "a", "b"}}},
        row{"[ profile\t \tx ]\na = b", {{"x", "a", "b"}}},
        row{"[profile X]\na = b", {{"x", "a", none}}},  // names have a case
        // Credentials have names only.
        row{"[default]\na = 1\n[x]\na = 2\n[profile x]\na = 3\n[profile]\na = 4\n",
            {{"default", "a", "1"}, {"x", "a", "2"}, {"profile", "a", "4"}},
            3,
            file_flavour::credentials},
        // What has another key is skipped, with its continuation.
        row{"[default]\na = 1\nb c = 2\n  more\nd = 3\n", {{"default", "a", "1"}, {"default", "d", "3"}}},
        // Equal sections are read together.
        row{"[default]\na = 1\nb = 1\n[profile x]\na = 9\n[default]\nb = 2\nc = 3\n",
            {{"default", "a", "1"}, {"default", "b", "2"}, {"default", "c", "3"}, {"x", "a", "9"}},
            3},
        // [profile default] replaces [default], and nothing else does.
        row{"[profile default]\na = 1\n[default]\nb = 2\na = 3\n", {{"default", "a", "1"}, {"default", "b", none}}, 2},
        row{"[default]\nb = 2\na = 3\n[profile default]\na = 1\n", {{"default", "a", "1"}, {"default", "b", none}}, 2},
        row{"[profile x]\na = 1\n[default]\na = 2\n", {{"default", "a", "2"}}, 2},
        // Properties of properties are no settings.
        row{"[default]\ns3 =\n  max_attempts = 5\n\t \n\tretry_mode =\n  in valid = 1\na = 2\n",
            {{"default", "max_attempts", none},
             {"default", "retry_mode", none},
             {"default", "s3", "\nmax_attempts = 5\nretry_mode =\nin valid = 1"},
             {"default", "a", "2"}}}}) {
    auto const file = read(text, flavour);
    EXPECT_EQ(file.sections().size(), sections) << text;
    for (auto const& [profile, key, is_read] : values) EXPECT_EQ(value(file, key, profile), is_read) << text << key;
  }
}

TEST(ProfileFile, TheLastOfEqualKeysCounts) {
  auto const file = read("[default]\na = 1\na = 2\n");
  EXPECT_EQ(file.find("default", "a")->value, "2");
  EXPECT_EQ(file.find("default", "a")->line, 3U);
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
