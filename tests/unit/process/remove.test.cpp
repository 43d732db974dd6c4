// SPDX-License-Identifier: BSL-1.0
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/process.hpp"

#include "process_support.hpp"

namespace process_remove_test {
namespace {

using anew::process::token_bucket;
using support::place_of_its_own;

std::string refusal_of(std::string const& place) {
  try {
    return anew::process::remove(place) ? "removed" : "not there";
  } catch (anew::process::file_error const& error) {
    return error.what();
  }
}

// By whoever counts in it: also by a child whose parent has closed it, and under numbers that were refused by nobody.
TEST(ProcessRemove, AFileThatIsUsedStays) {
  place_of_its_own const place;
  auto const used =
      "anew::process: " + place.path() + ": is used by a process, and is not removed; stop the processes that use it";
  auto bucket = std::make_unique<token_bucket>(place.path(), 500);
  EXPECT_EQ(refusal_of(place.path()), used);
  auto child = std::make_unique<support::waiting_child>([] { return 1; });
  EXPECT_THROW((token_bucket{place.path(), 300}), anew::process::file_error);
  bucket.reset();
  EXPECT_EQ(refusal_of(place.path()), used);
  child.reset();
  EXPECT_EQ(refusal_of(place.path()), "removed");
  EXPECT_EQ(refusal_of(place.path()), "not there");
  EXPECT_EQ((token_bucket{place.path(), 300}.balance()), 300U);
}
TEST(ProcessRemove, WhereNothingIsThereIsNothingToRemove) {
  for (auto const* place : {"never-made", "/nowhere/quota"}) EXPECT_EQ(refusal_of(place), "not there");
}

TEST(ProcessRemove, OtherFilesStay) {
  place_of_its_own const place;
  auto const is_removed = [&] {
    auto const found = refusal_of(place.path());
    if (found == "removed") return true;
    EXPECT_EQ(found, "anew::process: " + place.path() + ": is not a quota's, and is not removed");
    return false;
  };
  for (auto const* text : {"hello", "hello, world"}) {
    place.write(text);
    EXPECT_FALSE(is_removed());
    EXPECT_EQ(place.read(), text);
  }
  auto const size = sizeof(anew::detail::quota_file);
  for (auto const& other : {std::string(8, 0), std::string(size - 1, 0), std::string(size + 1, 0), std::string(8192, 0),
                            "anewquot" + std::string(size, 0), std::string(size - 1, 0) + "x"}) {
    place.write(other);
    EXPECT_FALSE(is_removed()) << other.size();
    EXPECT_EQ(place.read(), other);
  }
  for (auto const& part : {std::string{}, std::string(size, 0), "anewquot" + std::string(size - 8, 0)}) {
    place.write(part);  // its maker was killed
    EXPECT_TRUE(is_removed()) << part.size();
  }
  ASSERT_EQ(::mkfifo(place.path().c_str(), 0600), 0);
  EXPECT_FALSE(is_removed());
}

TEST(ProcessRemove, FilesOfOtherUsersStay) {
  if (::geteuid() != 0) {
    EXPECT_EQ(refusal_of("/proc/version"), "anew::process: /proc/version: remove: Permission denied");
    return;
  }
  place_of_its_own const place;
  place.write("");
  ASSERT_EQ(::chown(place.path().c_str(), 12345, 0), 0);
  EXPECT_EQ(refusal_of(place.path()), "anew::process: " + place.path() +
                                          ": belongs to user 12345, but this process runs as user 0, and it is not "
                                          "removed");
  EXPECT_EQ(::access(place.path().c_str(), F_OK), 0);
}

}  // namespace
}  // namespace process_remove_test
