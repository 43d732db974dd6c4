// SPDX-License-Identifier: BSL-1.0
// Containers, as the kernel makes them: mounts with a boot id of their own, and a time of their own. One directory is
// shared, and so is one budget. And files of other users. A program of its own, whose exit code is 77 where it may make
// neither.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/process.hpp"

#include "budget_support.hpp"
#include "names.hpp"
#include "process_support.hpp"
#include "rejection.hpp"

namespace process_namespaces_test {
namespace {

using anew::process::concurrency_budget, anew::process::retry_budget, anew::process::token_bucket;
using std::chrono::steady_clock;
using support::drain, support::in_a_child, support::place_of_its_own;

constexpr char const* boot_id = "/proc/sys/kernel/random/boot_id";

bool write_to(char const* path, std::string const& text) {
  int const file = ::open(path, O_WRONLY);
  auto const written = ::write(file, text.data(), text.size());
  ::close(file);
  return written == static_cast<ssize_t>(text.size());
}

/// Enters a mount namespace whose boot id is another one, as systemd-nspawn and LXC make them.
bool enter_another_boot(place_of_its_own const& id, char digit) {
  id.write(std::string(8, digit) + "-1111-4111-8111-111111111111\n");
  return ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount(id.path().c_str(), boot_id, nullptr, MS_BIND, nullptr) == 0;
}

/// What `work` returns in a container of its own.
int in_another_boot(char digit, auto const& work) {
  place_of_its_own const id;
  return in_a_child([&] { return enter_another_boot(id, digit) ? work() : 200; });
}

int drained(auto const& quota, time_point now = {}) { return static_cast<int>(drain(quota, now)); }

// Workers that end and are started again, by turns in two containers.
TEST(TwoBoots, WorkersShareOneBudget) {
  place_of_its_own const place;
  place_of_its_own const other;
  auto const at = steady_clock::now();
  int tokens = 0;
  int retries = 0;
  for (char const container : {'a', 'b', 'a', 'b'}) {
    tokens += in_another_boot(container, [&] { return drained(token_bucket{place.path(), 140}); });
    retries += in_another_boot(container, [&] { return drained(retry_budget{other.path(), 0, 10, 2s}, at); });
  }
  EXPECT_EQ(tokens, 10);
  EXPECT_EQ(retries, 20);
}
TEST(TwoBoots, WhoOpensALivingQuotaStartsNothingAgain) {
  place_of_its_own const place;
  concurrency_budget const budget{place.path(), 0, 3};
  ASSERT_TRUE(budget.try_acquire(failure{}));
  EXPECT_EQ(in_another_boot('a', [&] { return drained(concurrency_budget{place.path(), 0, 3}); }), 2);
  EXPECT_GE(budget.retries(), 1U);
}

/// What `work` returns where the steady clock is three days ahead.
int three_days_ahead(auto const& work) {
  return in_a_child([&] {
    if (::unshare(CLONE_NEWTIME) != 0 || !write_to("/proc/self/timens_offsets", "monotonic 259200 0")) return 200;
    return in_a_child(work);
  });
}

TEST(TimeOfItsOwn, CostsTheOthersAWindow) {
  place_of_its_own const place;
  retry_budget const budget{place.path(), 0, 5, 1s};
  auto const at = steady_clock::now();
  EXPECT_EQ(three_days_ahead([&] {
              retry_budget const there{place.path(), 0, 5, 1s};
              auto const ahead = steady_clock::now();
              return ahead - at > 48h && there.last_error().empty() ? drained(there, ahead) : 201;
            }),
            5);
  EXPECT_EQ(drain(budget, at), 0U);
  EXPECT_EQ(drain(budget, at + 1s), 5U);
  EXPECT_NE(budget.last_error(), "");
}

TEST(QuotaFile, DirectoryThatIsALinkOfAnotherUser) {
  place_of_its_own const open_to_all;
  place_of_its_own const own;
  auto const link = open_to_all.path() + "/app";
  ASSERT_EQ(::mkdir(open_to_all.path().c_str(), 0777) + ::mkdir(own.path().c_str(), 0700), 0);
  ASSERT_EQ(::symlink(own.path().c_str(), link.c_str()), 0);
  struct {
    mode_t mode;
    uid_t directory;
    uid_t owner;
    bool is_followed;
  } const rows[]{{01777, 0, 12345, false}, {01777, 0, 0, true},    {01777, 12345, 12345, true},
                 {01777, 12345, 0, true},  {0755, 0, 12345, true}, {01755, 0, 12345, true}};
  for (auto const& row : rows) {
    ASSERT_EQ(::chown(open_to_all.path().c_str(), row.directory, 0) + ::chmod(open_to_all.path().c_str(), row.mode) +
                  ::lchown(link.c_str(), row.owner, 0),
              0);
    EXPECT_EQ(support::rejection_of<anew::process::file_error>([&] { token_bucket const bucket{link + "/quota", 42}; }),
              row.is_followed ? "accepted"
                              : "anew::process: " + link + "/quota: its directory is a symbolic link of another user");
    EXPECT_EQ(::unlink((own.path() + "/quota").c_str()) == 0, row.is_followed);
  }
  ASSERT_EQ(::unlink(link.c_str()) + ::symlink("app", link.c_str()), 0);
  EXPECT_THROW((token_bucket{link + "/quota", 42}), anew::process::file_error);  // in a circle
  EXPECT_EQ(::unlink(link.c_str()) + ::rmdir(own.path().c_str()) + ::rmdir(open_to_all.path().c_str()), 0);
}

TEST(QuotaFile, DirectoryOfANameIsOfItsUserAlone) {
  std::string const directory = "/dev/shm/anew.12346";
  struct {
    mode_t mode;
    uid_t owner;
  } const rows[]{{0700, 12345}, {0750, 12346}, {0701, 12346}};
  for (auto const& row : rows) {
    ASSERT_EQ(::mkdir(directory.c_str(), 0700) + ::chown(directory.c_str(), row.owner, 0) +
                  ::chmod(directory.c_str(), row.mode),
              0);
    EXPECT_EQ(support::text_of_a_child([]() -> std::string {
                if (::setuid(12346) != 0) return "is no other user";
                return support::rejection_of<anew::process::file_error>([] { token_bucket const bucket{"squat", 42}; });
              }),
              "anew::process: " + directory + "/squat: its directory belongs to another user, or gives rights to one");
    EXPECT_EQ(::rmdir(directory.c_str()), 0);
  }
}

}  // namespace
}  // namespace process_namespaces_test

int main(int argc, char** argv) {
  if (::geteuid() != 0) {
    std::puts("skipped: only root can make files of other users");
    return 77;
  }
  int const refused = support::in_a_child([] { return ::unshare(CLONE_NEWNS | CLONE_NEWTIME) == 0 ? 0 : errno; });
  if (refused != 0) {
    std::printf("skipped: unshare(CLONE_NEWNS | CLONE_NEWTIME): %s\n", std::strerror(refused));
    return 77;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
