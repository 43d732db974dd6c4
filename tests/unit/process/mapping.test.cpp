// SPDX-License-Identifier: BSL-1.0
// What a quota's file must be, and that every other one is refused with both values.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/process.hpp"

#include "process_support.hpp"
#include "rejection.hpp"

namespace process_mapping_test {
namespace {

using anew::detail::quota_file, anew::process::token_bucket;
using support::place_of_its_own;
using testing::HasSubstr;

/// The message of the error with which a bucket of 500 at that place is refused.
std::string refusal_of(std::string const& place) {
  return support::rejection_of<anew::process::file_error>([&] { token_bucket const bucket{place, 500}; });
}
#define EXPECT_REFUSED(at, why) EXPECT_EQ(refusal_of((at).path()), "anew::process: " + (at).path() + ": " + (why))

/// A quota's file as a value, to be changed and written again.
quota_file contents_of(place_of_its_own const& place) {
  auto const bytes = place.read();
  EXPECT_EQ(bytes.size(), sizeof(quota_file));
  quota_file contents;
  std::memcpy(&contents, bytes.data(), sizeof(contents));
  return contents;
}
void write(place_of_its_own const& place, quota_file const& contents) {
  std::string bytes(sizeof(contents), 0);
  std::memcpy(bytes.data(), &contents, sizeof(contents));
  place.write(bytes);
}

struct MappedFile : testing::Test {
  place_of_its_own const place{};
};

TEST_F(MappedFile, IsMadeForItsUserAlone) {
  token_bucket const bucket{place.path(), 500};
  struct ::stat found{};
  ASSERT_EQ(::stat(place.path().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777U, 0600U);
  EXPECT_EQ(found.st_size, static_cast<off_t>(sizeof(quota_file)));
  EXPECT_GE(found.st_blocks * 512, found.st_size);  // its memory is there: no access can fail
}

TEST_F(MappedFile, IsFoundAgainWithItsContents) {
  EXPECT_TRUE((token_bucket{place.path(), 500}.try_acquire(anew::failure{})));
  EXPECT_EQ((token_bucket{place.path(), 500}.balance()), 486U);
}

TEST_F(MappedFile, NameIsAFileInADirectoryOfTheUser) {
  auto const name = "test-" + std::to_string(::getpid());
  auto const directory = "/dev/shm/anew." + std::to_string(::geteuid());
  {
    token_bucket const bucket{name, 500};
    EXPECT_EQ(bucket.path(), directory + "/" + name);
    EXPECT_EQ(bucket.describe(), "process(" + name + ",token_bucket(500))");
  }
  struct ::stat found{};
  ASSERT_EQ(::stat(directory.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777U, 0700U);
  EXPECT_TRUE(anew::process::remove(name));
}

TEST_F(MappedFile, OfNoValidName) {
  auto const rejection = [](std::string const& at) {
    return support::rejection_of([&] { token_bucket const bucket{at, 500}; });
  };
  std::string const name =
      "anew::process: name must be 1 to 200 letters, digits, '.', '_' or '-', and not begin with '.', or be a path "
      "with '/', but is ";
  std::string const path = "anew::process: path must name a file, but is ";
  struct {
    std::string place, rejected;
  } const rows[]{
      {"", name + "empty"},
      {"two words", name + "two words"},
      {"..", name + ".."},
      {std::string(201, 'a'), name + std::string(80, 'a') + "..."},
      {"a\nb\x1b", name + "a\\nb\\x1b"},
      {std::string("a\0b", 3), name + "a\\x00b"},
      {"/dev/shm/", path + "/dev/shm/"},
      {std::string("/tmp/a\0b", 8), path + "/tmp/a\\x00b"},
  };
  for (auto const& row : rows) EXPECT_EQ(rejection(row.place), row.rejected);
  EXPECT_EQ(refusal_of("/no\nwhere/a"), "anew::process: /no\\nwhere/a: open: No such file or directory");
}

TEST_F(MappedFile, WithOtherNumbersOrOfAnotherQuotaIsRefused) {
  token_bucket const other{place.path(), 300};
  EXPECT_REFUSED(place, "holds token_bucket(300), but token_bucket(500) was asked for");
  place_of_its_own const another;
  anew::process::concurrency_budget const budget{another.path(), 20, 3};
  EXPECT_REFUSED(another, "holds concurrency_budget(20%,3), but token_bucket(500) was asked for");
}
TEST_F(MappedFile, OfAnotherLayoutIsRefused) {
  static_cast<void>(refusal_of(place.path()));
  auto contents = contents_of(place);
  contents.layout = 1;
  write(place, contents);
  EXPECT_REFUSED(place, "has layout 1, but this build reads layout 2");
  contents.ready = 0;  // also when its maker was killed
  write(place, contents);
  EXPECT_REFUSED(place, "has layout 1, but this build reads layout 2");
  place.write(place.read() + "more");
  EXPECT_REFUSED(place, "has layout 1, but this build reads layout 2");
}

TEST_F(MappedFile, OfAnotherSizeIsRefused) {
  place.write("hello");
  EXPECT_REFUSED(place, "has 5 bytes, but a quota has 16704");
  EXPECT_EQ(place.read(), "hello");
  place.write(std::string(sizeof(quota_file) - 1, 0));
  EXPECT_REFUSED(place, "has 16703 bytes, but a quota has 16704");
  place.write("");
  EXPECT_EQ(refusal_of(place.path()), "accepted");
  ASSERT_EQ(::truncate(place.path().c_str(), 100), 0);
  EXPECT_REFUSED(place, "has 100 bytes, but a quota has 16704");
}
TEST_F(MappedFile, IsMadeUnderAnyUmask) {
  for (mode_t const mask : {0777U, 0400U, 0200U}) {
    place_of_its_own const fresh;
    EXPECT_EQ(support::in_a_child([&] {
                if (::geteuid() == 0 && ::seteuid(12345) != 0) return 1;  // rights do not bind root
                ::umask(mask);
                if (refusal_of(fresh.path()) != "accepted") return 2;
                struct ::stat found{};
                return ::stat(fresh.path().c_str(), &found) == 0 && (found.st_mode & 07777U) == 0600U ? 0 : 3;
              }),
              0);
  }
}

TEST_F(MappedFile, HasAnAbsolutePath) {
  auto const name = place.path().substr(place.path().rfind('/') + 1);
  EXPECT_EQ(support::text_of_a_child([&] {
              if (::chdir("/dev") != 0) return std::string{"no /dev"};
              token_bucket const bucket{"shm/" + name, 500};
              if (::chdir("/") != 0) return std::string{"no /"};
              return bucket.last_error() + bucket.path() + " " + bucket.describe();
            }),
            place.path() + " process(shm/" + name + ",token_bucket(500))");
}

TEST_F(MappedFile, OfOtherContentsIsRefusedAndNotChanged) {
  for (auto const at : {std::size_t{0}, std::size_t{200}, sizeof(quota_file) - 1, sizeof(quota_file)}) {
    std::string garbage(sizeof(quota_file), at == sizeof(quota_file) ? 'x' : 0);
    if (at != sizeof(quota_file)) garbage[at] = 'x';
    place.write(garbage);
    EXPECT_REFUSED(place, "has other contents than a quota");
    EXPECT_EQ(place.read(), garbage);
  }
}
TEST_F(MappedFile, TextThatIsNotOursIsShownHarmlessly) {
  static_cast<void>(refusal_of(place.path()));
  auto contents = contents_of(place);
  std::memset(contents.policy, '\x1b', sizeof(contents.policy));
  std::string shown;
  for (char const c : contents.policy) shown += c == '\x1b' ? "\\x1b" : "?";
  write(place, contents);
  EXPECT_REFUSED(place, "holds " + shown + ", but token_bucket(500) was asked for");
}

TEST_F(MappedFile, WhoseMakerWasKilledIsMadeAgain) {
  place.write("");
  EXPECT_EQ(refusal_of(place.path()), "accepted");
  auto const whole = contents_of(place);
  quota_file part{};  // as long as it should be, and nothing written
  write(place, part);
  EXPECT_EQ(refusal_of(place.path()), "accepted");
  part.magic = whole.magic;  // one word
  write(place, part);
  EXPECT_EQ(refusal_of(place.path()), "accepted");
  part = whole;  // all but the last word
  part.ready = 0;
  std::memset(part.body, 'x', sizeof(part.body));
  write(place, part);
  EXPECT_EQ(refusal_of(place.path()), "accepted");
  auto const again = contents_of(place);
  EXPECT_EQ(std::memcmp(&again, &whole, sizeof(whole)), 0);
}

TEST_F(MappedFile, WithRightsForOthersIsRefused) {
  for (auto const mode : {0640U, 0604U, 0620U, 0602U, 0666U, 0601U}) {
    place.write("", mode);
    EXPECT_REFUSED(place, "gives rights to other users; remove them (chmod 600)");
  }
}
TEST_F(MappedFile, ThatIsNoFileIsRefused) {
  place_of_its_own const link;
  place_of_its_own const target;
  ASSERT_EQ(::symlink(target.path().c_str(), link.path().c_str()), 0);
  EXPECT_REFUSED(link, "open: Too many levels of symbolic links");
  EXPECT_EQ(::access(target.path().c_str(), F_OK), -1);  // nothing was made behind the link
  place_of_its_own const pipe;
  ASSERT_EQ(::mkfifo(pipe.path().c_str(), 0600), 0);
  EXPECT_REFUSED(pipe, "is not a regular file");
  EXPECT_EQ(refusal_of("/dev/null"), "anew::process: /dev/null: is not a regular file");
  EXPECT_THAT(refusal_of("/dev"), HasSubstr("Is a directory"));
  EXPECT_THAT(refusal_of("/nowhere/quota"), HasSubstr("open: No such file or directory"));
}
TEST_F(MappedFile, OfAnotherUserIsRefused) {
  if (::geteuid() != 0) {  // only root may give files away, and the system's are root's
    EXPECT_EQ(refusal_of("/proc/version"), "anew::process: /proc/version: open: Permission denied");
    return;
  }
  static_cast<void>(refusal_of(place.path()));
  ASSERT_EQ(::chown(place.path().c_str(), 12345, 0), 0);
  EXPECT_REFUSED(place, "belongs to user 12345, but this process runs as user 0");
}

// A process that is stopped while it makes the file does not stop the others for ever; nor does one that came after a
// maker that was killed, and has the file open.
TEST_F(MappedFile, WhoseMakerIsStopped) {
  for (bool const is_maker : {true, false}) {
    place.write(is_maker ? "" : std::string(sizeof(quota_file), 0));
    support::waiting_child other{[&] {
      auto* const file = new anew::detail::kept_file{anew::detail::all_kept_files()};
      if (!file->open(AT_FDCWD, place.path().c_str(), 0)) return 0;
      return (is_maker ? file->lock_byte(0) : file->share_byte(0)) ? 1 : 0;
    }};
    ASSERT_EQ(other.answer(), 1);
    EXPECT_THAT(support::rejection_of<anew::process::file_error>([&] {
                  anew::detail::quota_mapping const opened{place.path(), "", 0, anew::detail::all_kept_files(), 0};
                }),
                HasSubstr("another process has been making it for too long; is it stopped?"));
    other.kill();
    EXPECT_EQ(refusal_of(place.path()), "accepted");
  }
}

}  // namespace
}  // namespace process_mapping_test
