// SPDX-License-Identifier: BSL-1.0
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/process.hpp"

#include "process_support.hpp"

namespace process_remove_test {
namespace {

using anew::process::token_bucket;
using support::place_of_its_own;

TEST(ProcessRemove, WhatIsMadeAgainIsAnotherQuota) {
  place_of_its_own const place;
  token_bucket const old{place.path(), 500};
  EXPECT_TRUE(anew::process::remove(place.path()));
  EXPECT_FALSE(anew::process::remove(place.path()));
  token_bucket const made{place.path(), 300};
  EXPECT_TRUE(old.try_acquire(anew::failure{}));
  EXPECT_EQ(old.balance(), 486U);
  EXPECT_EQ(made.balance(), 300U);
}
TEST(ProcessRemove, OtherFilesStay) {
  place_of_its_own const place;
  auto const is_removed = [&] {
    try {
      return anew::process::remove(place.path());
    } catch (anew::process::file_error const& error) {
      EXPECT_EQ(error.what(), "anew::process: " + place.path() + ": is not a quota's, and is not removed");
    }
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
  place_of_its_own const place;
  std::string foreign{"/proc/version"};  // regular, without a size, and root's
  ::uid_t owner = 0;
  if (::geteuid() == 0) {
    owner = 12345;
    foreign = place.path();
    place.write("");
    ASSERT_EQ(::chown(foreign.c_str(), owner, 0), 0);
  }
  try {
    anew::process::remove(foreign);
    ADD_FAILURE() << "removed";
  } catch (anew::process::file_error const& error) {
    EXPECT_EQ(error.what(), "anew::process: " + foreign + ": belongs to user " + std::to_string(owner) +
                                ", but this process runs as user " + std::to_string(::geteuid()) +
                                ", and it is not removed");
  }
  EXPECT_EQ(::access(foreign.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace process_remove_test
