// SPDX-License-Identifier: BSL-1.0
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "anew/aws/settings/locations.hpp"

namespace aws_settings_locations_test {
namespace {

using anew::aws_settings::platform;
using variables = std::map<std::string, std::string, std::less<>>;

anew::aws_settings::locations locate(variables const& set, platform on = platform::posix) {
  return anew::aws_settings::locate(
      [&set](std::string_view name) -> std::optional<std::string> {
        auto const found = set.find(name);
        return found == set.end() ? std::nullopt : std::optional{found->second};
      },
      on);
}
std::string config(variables const& set, platform on = platform::posix) { return locate(set, on).config; }

TEST(Locations, AreInTheHomeDirectory) {
  EXPECT_EQ(locate({{"HOME", "/home/me"}}).config, "/home/me/.aws/config");
  EXPECT_EQ(locate({{"HOME", "/home/me"}}).credentials, "/home/me/.aws/credentials");
}

TEST(Locations, AreWhereVariablesSay) {
  auto const other = locate({{"HOME", "/home/me"}, {"AWS_CONFIG_FILE", "/other/path/config"}});
  EXPECT_EQ(other.config, "/other/path/config");
  EXPECT_EQ(other.credentials, "/home/me/.aws/credentials");
  auto const others = locate({{"HOME", "/home/me"}, {"AWS_SHARED_CREDENTIALS_FILE", "/other/path/credentials"}});
  EXPECT_EQ(others.config, "/home/me/.aws/config");
  EXPECT_EQ(others.credentials, "/other/path/credentials");
  EXPECT_EQ(config({{"AWS_CONFIG_FILE", "c"}}), "c");
}

TEST(Locations, AnEmptyVariableMeansNoFile) { EXPECT_EQ(config({{"HOME", "/home/me"}, {"AWS_CONFIG_FILE", ""}}), ""); }

TEST(Locations, WithoutAHomeThereIsNone) {
  EXPECT_EQ(config({}), "");
  EXPECT_EQ(config({{"HOME", ""}}), "");
  EXPECT_EQ(locate({}).credentials, "");
  EXPECT_EQ(config({{"USERPROFILE", "C:\\users\\me"}}), "") << "that is another system's";
  EXPECT_EQ(config({{"AWS_CONFIG_FILE", "~/c"}}), "~/c");
}

TEST(Locations, ATildeIsTheHomeAsTheWholeFirstSegment) {
  auto const at = [](std::string path) { return config({{"HOME", "/home/me"}, {"AWS_CONFIG_FILE", std::move(path)}}); };
  EXPECT_EQ(at("~/c"), "/home/me/c");
  EXPECT_EQ(at("~"), "/home/me");
  EXPECT_EQ(at("~/a/~/c"), "/home/me/a/~/c");
  EXPECT_EQ(at("/a/~/c"), "/a/~/c");
  EXPECT_EQ(at("a/~"), "a/~");
  EXPECT_EQ(at("~you/c"), "~you/c");
  EXPECT_EQ(at("~\\c"), "~\\c");
  EXPECT_EQ(at("./~"), "./~");
}

TEST(Locations, OfWindows) {
  auto const expected = "C:\\users\\me\\.aws\\config";
  EXPECT_EQ(config({{"HOME", "C:\\users\\me"}}, platform::windows), expected);
  EXPECT_EQ(config({{"USERPROFILE", "C:\\users\\me"}}, platform::windows), expected);
  EXPECT_EQ(config({{"HOMEDRIVE", "C:"}, {"HOMEPATH", "\\users\\me"}}, platform::windows), expected);
  EXPECT_EQ(config({{"HOMEDRIVE", "C:"}}, platform::windows), "");
  EXPECT_EQ(config({{"HOMEPATH", "\\users\\me"}}, platform::windows), "");
  EXPECT_EQ(
      config({{"HOME", "H:"}, {"USERPROFILE", "U:"}, {"HOMEDRIVE", "D:"}, {"HOMEPATH", "\\p"}}, platform::windows),
      "H:\\.aws\\config");
  EXPECT_EQ(config({{"USERPROFILE", "U:"}, {"HOMEDRIVE", "D:"}, {"HOMEPATH", "\\p"}}, platform::windows),
            "U:\\.aws\\config");
  EXPECT_EQ(locate({{"HOME", "H:"}}, platform::windows).credentials, "H:\\.aws\\credentials");
  EXPECT_EQ(config({{"HOME", "H:"}, {"AWS_CONFIG_FILE", "~\\c"}}, platform::windows), "H:\\c");
  EXPECT_EQ(config({{"HOME", "H:"}, {"AWS_CONFIG_FILE", "~/c"}}, platform::windows), "H:/c");
}

}  // namespace
}  // namespace aws_settings_locations_test
