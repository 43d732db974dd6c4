// SPDX-License-Identifier: BSL-1.0
// Law 11 between processes that are killed: four processes take and return permits of one limit as fast as they can. One
// after the other is killed, wherever it is, and replaced. Never more permits are out than the limit, and all of them are
// back afterwards.
//
// Who holds a permit also holds a lock on one of as many bytes of a file: the kernel counts independently. A permit that
// finds no byte free is one too many. The bytes are in two files, one opened before the quota and one after it: at the end
// of a process the kernel closes one of the two before the quota's file, whatever its order.
//
// ANEW_KILLS=600 ANEW_KILL_EVERY_MS=100 kills for a minute; else the number of operations decides when.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/process.hpp"

#include "process_support.hpp"

namespace processes_depth {
namespace {

using support::place_of_its_own;

constexpr int limit = 5;
constexpr unsigned workers = 4;
constexpr std::size_t most_held = 2;
constexpr std::uint32_t cost = 14;
constexpr std::uint32_t capacity = 10 * cost;

/// What all processes count together.
struct ledger {
  std::atomic<std::uint64_t> granted{0}, refused{0}, too_many{0}, too_full{0};
};

std::uint64_t setting(char const* name, std::uint64_t otherwise) {
  auto const* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Byte locks that the kernel takes from who ends.
struct locked_bytes {
  explicit locked_bytes(std::string const& path) : file_{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)} {}

  /// The number of a byte that was free, -1 if there is none.
  int take() {
    for (int i = 0; i < limit; ++i) {
      if ((mine_ >> i & 1U) == 0 && change(i, F_WRLCK)) {
        mine_ |= 1U << i;
        return i;
      }
    }
    return -1;
  }
  void put_back(int i) {
    if (i < 0) return;
    mine_ &= ~(1U << i);
    change(i, F_UNLCK);
  }

 private:
  bool change(int i, int to) const {
    struct ::flock range{};
    range.l_type = static_cast<short>(to);
    range.l_whence = SEEK_SET;
    range.l_start = i;
    range.l_len = 1;
    return ::fcntl(file_, F_OFD_SETLK, &range) == 0;
  }
  int file_;
  unsigned mine_ = 0;
};

struct places {
  place_of_its_own budget;
  place_of_its_own bucket;
  place_of_its_own bytes_before;
  place_of_its_own bytes_after;
};

/// Writes to `works` now and then.
[[noreturn]] void work(places const& at, ledger& all, std::uint64_t seed, int works) {
  struct permit {
    std::uint32_t held;
    int before;
    int after;
  };
  locked_bytes before{at.bytes_before.path()};
  anew::process::concurrency_budget const budget{at.budget.path(), 0, limit};
  locked_bytes after{at.bytes_after.path()};
  anew::process::token_bucket const bucket{at.bucket.path(), capacity};
  anew::generator dice{seed, 31};
  std::vector<permit> held;
  for (;;) {
    auto const roll = dice();
    budget.on_call(anew::time_point{});
    if (held.size() < most_held && roll % 2 == 0) {
      if (auto const got = budget.try_acquire(anew::failure{})) {
        held.push_back({*got, before.take(), after.take()});
        if (held.back().before < 0 && held.back().after < 0) ++all.too_many;
        ++all.granted;
      } else {
        ++all.refused;
      }
    } else if (!held.empty()) {
      before.put_back(held.back().before);
      after.put_back(held.back().after);
      budget.release(held.back().held);
      held.pop_back();
    }
    budget.on_call_end();
    if (auto const paid = bucket.try_acquire(anew::failure{})) bucket.on_success(*paid);
    bucket.on_success({});
    if (bucket.balance() > capacity) ++all.too_full;
    if (dice() % 512 == 0) static_cast<void>(::write(works, "", 1) + 0);
  }
}

TEST(Processes, NeverMoreThanTheLimitAndAllBackAfterwards) {
  auto const kills = setting("ANEW_KILLS", 60);
  auto const every = setting("ANEW_KILL_EVERY_MS", 0);
  places const at;
  auto* const memory = ::mmap(nullptr, sizeof(ledger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto& all = *::new (memory) ledger;
  anew::generator dice{1, 32};
  int works[2];
  ASSERT_EQ(::pipe2(works, O_NONBLOCK), 0);
  ::pollfd readable{.fd = works[0], .events = POLLIN, .revents = 0};
  char bytes[1 << 16];
  std::vector<pid_t> living(workers);
  std::uint64_t begun = 0;
  auto const begin = [&](pid_t& child) {
    auto const seed = ++begun;
    child = ::fork();
    if (child == 0) {
      ::alarm(600);
      work(at, all, seed, works[1]);
    }
  };
  auto const kill = [](pid_t child) {
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  };
  for (auto& child : living) begin(child);
  for (std::uint64_t i = 0; i != kills; ++i) {
    if (every != 0) {
      timespec const pause{.tv_sec = 0, .tv_nsec = static_cast<long>(every) * 1'000'000};
      ::nanosleep(&pause, nullptr);
    } else {
      while (::read(works[0], bytes, sizeof(bytes)) > 0) {
      }
      for (auto some = 1 + dice() % 8; some != 0; --some) {
        ASSERT_EQ(::poll(&readable, 1, 60'000), 1);
        ASSERT_EQ(::read(works[0], bytes, 1), 1);
      }
    }
    auto& child = living[dice() % workers];
    ASSERT_TRUE(kill(child)) << "it ended before it was killed, after kill " << i;
    begin(child);
  }
  for (auto const child : living) EXPECT_TRUE(kill(child));

  EXPECT_EQ(all.too_many, 0U);
  EXPECT_EQ(all.too_full, 0U);
  EXPECT_GT(all.granted, kills);
  EXPECT_GT(all.refused, 0U);
  anew::process::concurrency_budget const budget{at.budget.path(), 0, limit};
  auto const left = budget.retries();
  anew::detail::monotonic_time const now;
  auto const start = now();
  int back = 0;
  // A refusal looks for the dead unless somebody did in the last 10 ms: what is bounded here is the test itself.
  while (back < limit && now() - start < 10'000'000'000) back += budget.try_acquire(anew::failure{}) ? 1 : 0;
  auto const waited = now() - start;
  EXPECT_EQ(back, limit);
  EXPECT_FALSE(budget.try_acquire(anew::failure{}));
  EXPECT_EQ(budget.retries(), static_cast<std::uint64_t>(limit));
  std::printf(
      "%llu kills: %llu granted, %llu refused, %llu above the limit of %d; %llu permits left in dead slots, all back "
      "after %lld us\n",
      static_cast<unsigned long long>(kills), static_cast<unsigned long long>(all.granted.load()),
      static_cast<unsigned long long>(all.refused.load()), static_cast<unsigned long long>(all.too_many.load()), limit,
      static_cast<unsigned long long>(left), static_cast<long long>(waited / 1000));
  for (int const end : works) ::close(end);
  ::munmap(memory, sizeof(ledger));
}

}  // namespace
}  // namespace processes_depth
