// SPDX-License-Identifier: BSL-1.0
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "anew/aws/settings/environment.hpp"
#include "anew/aws/settings/file_source.hpp"

namespace aws_settings_files_test {
namespace {

using anew::aws_settings::file_status;
using anew::aws_settings::file_text;
using anew::aws_settings::real_files;

class RealFiles : public testing::Test {
 protected:
  void SetUp() override {
    auto pattern = (std::filesystem::temp_directory_path() / "anew-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string write(std::string const& text) const {
    auto const path = (directory_ / "file").string();
    std::ofstream{path, std::ios::binary} << text;
    return path;
  }
  std::filesystem::path directory_;
};

TEST_F(RealFiles, AreReadAsTheyAre) {
  for (auto const& text : {std::string{}, std::string{"[default]\r\na = b\n"}, std::string(4095, 'x'),
                           std::string(4096, 'x'), std::string(4097, 'x'), std::string{"\0\x1A\xFF", 3}}) {
    auto const read = real_files{}(write(text));
    EXPECT_EQ(read.status, file_status::read);
    EXPECT_EQ(read.text, text);
  }
}

TEST_F(RealFiles, MayBeMissing) {
  EXPECT_EQ(real_files{}((directory_ / "nosuch").string()).status, file_status::not_found);
  EXPECT_EQ(real_files{}((directory_ / "nosuch" / "config").string()).status, file_status::not_found);
  EXPECT_EQ(real_files{}(write("x") + "/config").status, file_status::not_found)
      << "a file where a directory should be";
  EXPECT_EQ(real_files{}("").status, file_status::not_found);
}

TEST_F(RealFiles, MayBeUnreadable) {
  auto const read = real_files{}(directory_.string());
  EXPECT_EQ(read.status, file_status::unreadable);
  EXPECT_EQ(read.text, "is a directory");
  auto const loop = (directory_ / "loop").string();
  std::filesystem::create_symlink(loop, loop);
  EXPECT_EQ(real_files{}(loop).status, file_status::unreadable);
  EXPECT_FALSE(real_files{}(loop).text.empty());
}

TEST_F(RealFiles, HaveALimit) {
  EXPECT_EQ(real_files{}(write(std::string(real_files::longest, '\n'))).status, file_status::read);
  auto const read = real_files{}(write(std::string(real_files::longest + 1, '\n')));
  EXPECT_EQ(read.status, file_status::unreadable);
  EXPECT_EQ(read.text, "it is longer than 4 MiB");
}

TEST(NoFiles, AreMissing) {
  EXPECT_EQ(anew::aws_settings::no_files{}("/etc/passwd").status, file_status::not_found);
  static_assert(anew::aws_settings::FileSource<real_files> &&
                anew::aws_settings::FileSource<anew::aws_settings::no_files>);
}

TEST(ProcessEnvironment, IsRead) {
  static_assert(anew::aws_settings::Environment<anew::aws_settings::process_environment>);
  ::setenv("ANEW_TEST_VARIABLE", "x", 1);
  EXPECT_EQ(anew::aws_settings::process_environment{}("ANEW_TEST_VARIABLE"), "x");
  ::setenv("ANEW_TEST_VARIABLE", "", 1);
  EXPECT_EQ(anew::aws_settings::process_environment{}("ANEW_TEST_VARIABLE"), "") << "empty is not unset";
  ::unsetenv("ANEW_TEST_VARIABLE");
  EXPECT_EQ(anew::aws_settings::process_environment{}("ANEW_TEST_VARIABLE"), std::nullopt);
  EXPECT_EQ(anew::aws_settings::no_environment{}("PATH"), std::nullopt);
}

}  // namespace
}  // namespace aws_settings_files_test
