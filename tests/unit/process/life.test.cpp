// SPDX-License-Identifier: BSL-1.0
// What may happen to a quota while processes use it: its file is removed, another clock counts in it, processes fork.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/process.hpp"

#include "budget_support.hpp"
#include "names.hpp"
#include "process_support.hpp"
#include "rejection.hpp"
#include "together.hpp"

namespace process_life_test {
namespace {

using anew::process::concurrency_budget, anew::process::retry_budget, anew::process::token_bucket;
using support::call, support::drain, support::in_a_child, support::place_of_its_own;

constexpr time_point start{1000s};

/// A quota that pays for three retries, whichever it is.
struct three_retries {
  struct opened {
    std::function<std::uint64_t()> acquire;  // 0: refused
    std::function<void(std::uint64_t)> release;
    std::function<std::string()> last_error;
  };
  char const* name;
  std::function<opened(std::string const&)> open;
};
template <class Quota, class... Numbers>
three_retries quota_of(char const* name, Numbers... numbers) {
  return {name, [=](std::string const& path) {
            Quota const quota{path, numbers...};
            return three_retries::opened{
                [quota]() -> std::uint64_t { return anew::detail::try_acquire(quota, failure{}, start).value_or(0); },
                [quota](std::uint64_t held) { quota.release(static_cast<typename Quota::permit_type>(held)); },
                [quota] { return quota.last_error(); }};
          }};
}
std::vector<three_retries> const quotas{quota_of<token_bucket>("token_bucket", 42),
                                        quota_of<retry_budget>("retry_budget", 0, 3, 1s),
                                        quota_of<concurrency_budget>("concurrency_budget", 0, 3)};

int drained(three_retries::opened const& quota) {
  int granted = 0;
  while (quota.acquire() != 0) ++granted;
  return granted;
}

// systemd-logind does it at the last logout of a user (RemoveIPC).
TEST(ProcessQuotas, AFileThatIsRemovedIsSaidAndSharedOn) {
  for (auto const& each : quotas) {
    SCOPED_TRACE(each.name);
    place_of_its_own const place;
    auto const quota = each.open(place.path());
    EXPECT_NE(quota.acquire(), 0U);
    EXPECT_EQ(quota.last_error(), "");
    ASSERT_EQ(::unlink(place.path().c_str()), 0);
    EXPECT_EQ(quota.last_error(),
              "was removed, or is outside of this root directory; a process that opens it now shares another quota");
    EXPECT_EQ(in_a_child([&] { return quota.acquire() != 0 && quota.acquire() != 0 && quota.acquire() == 0 ? 0 : 1; }),
              0);
    auto const other = each.open(place.path());
    EXPECT_EQ(quota.last_error(), "was removed, and another file has its name");
    EXPECT_EQ(in_a_child([&] { return quota.last_error() == "was removed, and another file has its name" ? 0 : 1; }),
              0);
    EXPECT_EQ(other.last_error(), "");
  }
}

// Each of five children unwinds the calls of its parent, and goes on.
TEST(ProcessQuotas, PermitsThatAreOutAtAForkComeBackOnce) {
  for (auto const& each : quotas) {
    SCOPED_TRACE(each.name);
    place_of_its_own const place;
    auto const quota = each.open(place.path());
    std::vector<std::uint64_t> held;
    for (int i = 0; i != 3; ++i) held.push_back(quota.acquire());
    EXPECT_EQ(quota.acquire(), 0U);
    for (int i = 0; i != 5; ++i) {
      EXPECT_EQ(in_a_child([&] {
                  for (auto const permit : held) quota.release(permit);
                  return drained(quota);
                }),
                0);
    }
    quota.release(held.back());
    held.pop_back();
    EXPECT_EQ(in_a_child([&] {  // what a child takes it gives back
                auto const own = quota.acquire();
                quota.release(own);
                return own != 0 && quota.acquire() != 0 && quota.acquire() == 0 ? 0 : 1;
              }),
              0);
  }
}
TEST(ProcessTokenBucketLife, ASuccessInAChildRefundsNothingOfItsParent) {
  place_of_its_own const place;
  token_bucket const bucket{place.path(), 42};
  auto const held = bucket.try_acquire(failure{});
  ASSERT_TRUE(held);
  EXPECT_EQ(in_a_child([&] {
              bucket.on_success(*held);
              if (bucket.balance() != 28) return 1;
              bucket.on_success({});  // of a call without a retry
              return bucket.balance() == 29 ? 0 : 2;
            }),
            0);
  bucket.on_success(*held);
  EXPECT_EQ(bucket.balance(), 42U);
}

// It costs the others a window of retries, and no more.
TEST(ProcessRetryBudgetLife, AnotherClockHealsByItself) {
  struct {
    char const* clock;
    anew::duration ahead;
    char const* said;
  } const rows[]{
      {"a thread that is late", 900ms, ""},
      {"CLOCK_BOOTTIME after a night", 8h, "a process counted by a clock that was 28800 windows ahead"},
      {"the system's clock", std::chrono::hours{24 * 365 * 56},
       "a process counted by a clock that was 1766016000 windows ahead"},
      {"the last boot, or a time namespace", std::chrono::hours{24 * 30},
       "a process counted by a clock that was 2592000 windows ahead"},
  };
  for (auto const& row : rows) {
    SCOPED_TRACE(row.clock);
    place_of_its_own const place;
    retry_budget const budget{place.path(), 20, 5, 1s};
    EXPECT_EQ(drain(budget, start), 5U);
    EXPECT_EQ(in_a_child([&] {
                retry_budget const there{place.path(), 20, 5, 1s};
                call(there, start + row.ahead + 1s, 50);
                return there.try_acquire(failure{}, start + row.ahead + 1s) ? 0 : 1;
              }),
              0);
    if (row.said[0] == 0) {
      EXPECT_EQ(drain(budget, start + 1s), 14U);  // with the calls that the other one began
      EXPECT_EQ(budget.last_error(), "");
      continue;
    }
    for (auto const later : {0ms, 500ms, 900ms}) {
      EXPECT_EQ(drain(budget, start + later), 0U);
      EXPECT_EQ(budget.balance(start + later), 0U);
    }
    EXPECT_EQ(budget.last_error().substr(0, std::string{row.said}.size()), row.said);
    call(budget, start + 1s, 50);
    EXPECT_EQ(drain(budget, start + 1s), 15U);
    EXPECT_EQ(drain(budget, start + 2s), 5U);
  }
}
// Two clocks that go on do not open the budget: once in a window the one forgets what the other has counted.
TEST(ProcessRetryBudgetLife, TwoClocksThatGoOnGrantNoMoreThanThreeBudgets) {
  place_of_its_own const place;
  retry_budget const budget{place.path(), 0, 5, 1s};
  unsigned granted = 0;
  for (int i = 0; i != 1000; ++i) {  // ten seconds
    auto const now = start + i * 10ms;
    granted += drain(budget, now + 5000s);
    granted += drain(budget, now);
  }
  EXPECT_LE(granted, 5U * 3 * 11);
  EXPECT_GE(granted, 5U * 9);
}

// Calls begin in one slot as they end in another, far from it, and never more than one is under way.
TEST(ProcessConcurrencyBudgetLife, ACallIsCountedOnceWhereverItIs) {
  struct opening {
    explicit opening(std::string const& path)
        : mapping{path, "slots", 0, anew::detail::all_kept_files()}, slots{mapping} {}
    anew::detail::quota_mapping mapping;
    anew::detail::process_slots slots;
  };
  place_of_its_own const place;
  std::vector<std::unique_ptr<opening>> all;
  for (std::uint32_t i = 0; i != anew::detail::process_slots::most; ++i) {
    all.push_back(std::make_unique<opening>(place.path()));
  }
  std::atomic<bool> is_over{false};
  std::uint64_t most = 0;
  support::together(2, [&](unsigned index) {
    if (index == 0) {
      for (int i = 0; i != 20'000; ++i) most = std::max(most, all.front()->slots.sum().calls);
      is_over = true;
    }
    while (!is_over) {
      for (auto const& each : {all.front().get(), all.back().get()}) {
        each->slots.begin_call();
        each->slots.end_call();
      }
    }
  });
  EXPECT_LE(most, 1U);
}

// With other users' files, as root alone can make them, both are asked in namespaces.test.cpp.
TEST(QuotaFile, FollowsNoLinkThatAnotherUserMayHaveMade) {
  constexpr ::uid_t self = 1000;
  struct {
    mode_t mode;
    uid_t directory;
    uid_t owner;
    bool is_of_another;
  } const rows[]{{01777, 0, 2000, true},     {01777, 0, self, false},  {01777, 2000, 2000, false},
                 {01777, 2000, self, false}, {0755, 0, 2000, false},   {0777, 0, 2000, false},
                 {01755, 0, 2000, false},    {01777, self, 2000, true}};
  for (auto const& row : rows) {
    struct ::stat link{};
    struct ::stat directory{};
    link.st_uid = row.owner;
    directory.st_uid = row.directory;
    directory.st_mode = row.mode;
    EXPECT_EQ(anew::detail::is_link_of_another(link, directory, self), row.is_of_another)
        << row.mode << ' ' << row.directory << ' ' << row.owner;
  }
}
TEST(QuotaFile, DirectoryOfANameIsClosedToOthers) {
  constexpr ::uid_t self = 1000;
  struct {
    mode_t mode;
    uid_t owner;
    bool is_open;
  } const rows[]{{0700, self, false}, {0500, self, false}, {0750, self, true}, {0701, self, true}, {0700, 0, true}};
  for (auto const& row : rows) {
    struct ::stat directory{};
    directory.st_uid = row.owner;
    directory.st_mode = row.mode;
    EXPECT_EQ(anew::detail::is_open_to_others(directory, self), row.is_open) << row.mode << ' ' << row.owner;
  }
}

// Else the system ends the program with SIGXFSZ.
TEST(QuotaFile, LargerThanAFileMayBe) {
  place_of_its_own const place;
  EXPECT_EQ(
      support::text_of_a_child([&]() -> std::string {
        ::rlimit const small{.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
        if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return "no limit";
        return support::rejection_of<anew::process::file_error>([&] { token_bucket const bucket{place.path(), 42}; });
      }),
      "anew::process: " + place.path() +
          ": needs 16704 bytes, but a file of this process may have 4096 (RLIMIT_FSIZE)");
}

}  // namespace
}  // namespace process_life_test
