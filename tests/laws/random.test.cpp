// SPDX-License-Identifier: BSL-1.0
// Laws 3 and 13, of random numbers: never shared, touched only for a delay, and the system is asked once per process.
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/scripted_random.hpp"

#include "names.hpp"
#include "together.hpp"

namespace {

std::atomic<std::uint64_t> asked{0};

}  // namespace

/// Instead of that of the C library: counts how often the system is asked.
extern "C" int getentropy(void* to, std::size_t size) {
  ++asked;
  return ::syscall(SYS_getrandom, to, size, 0) == static_cast<long>(size) ? 0 : -1;
}

namespace {

using anew::thread_random;

using words = std::vector<std::uint64_t>;

words draw(std::size_t count) {
  words drawn(count);
  for (auto& word : drawn) word = thread_random{}();
  return drawn;
}

std::uint64_t requests() { return asked.load(); }

/// What a forked child saw.
struct report {
  std::array<std::uint64_t, 64> drawn;
  std::uint64_t requests;
};

/// Forks, and reads by a pipe what the child says, which is given the end to write to.
report said_by(auto const& child_says) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  pid_t const child = ::fork();
  if (child == 0) child_says(ends[1]);
  ::close(ends[1]);
  report seen{};
  EXPECT_EQ(::read(ends[0], &seen, sizeof seen), static_cast<ssize_t>(sizeof seen));
  ::close(ends[0]);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return seen;
}

/// Says it, and ends this process.
[[noreturn]] void say(int to, report const& seen) {
  ::_exit(::write(to, &seen, sizeof seen) == static_cast<ssize_t>(sizeof seen) ? 0 : 1);
}

report drawn_here() {
  report seen{};
  for (auto& word : seen.drawn) word = thread_random{}();
  seen.requests = requests();
  return seen;
}

/// What a child draws, in a thread of its own where asked.
report draw_in_child(bool by_thread = false, bool by_grandchild = false) {
  return said_by([&](int to) {
    report seen{};
    if (by_grandchild) {
      seen = draw_in_child();
    } else if (by_thread) {
      std::thread{[&seen] { seen = drawn_here(); }}.join();
    } else {
      seen = drawn_here();
    }
    say(to, seen);
  });
}

/// Every word is new: 64-bit words that are not shared do not meet by chance.
struct all_different {
  void add(auto const& drawn) {
    for (auto const word : drawn) {
      seen_.insert(word);
      ++count_;
    }
  }
  [[nodiscard]] bool holds() const { return seen_.size() == count_; }

 private:
  std::set<std::uint64_t> seen_;
  std::size_t count_ = 0;
};

TEST(Law3, NoTwoThreadsShareASequence) {
  std::vector<words> drawn(8);
  support::together(8, [&](unsigned index) { drawn[index] = draw(1000); });
  all_different law;
  for (auto const& mine : drawn) law.add(mine);
  law.add(draw(1000));
  EXPECT_TRUE(law.holds());
}

// A thread that ends leaves its place to the next one, but not its numbers.
TEST(Law3, NoTwoThreadsOneAfterTheOtherShareASequence) {
  all_different law;
  for (int i = 0; i < 50; ++i) {
    words mine;
    std::thread{[&mine] { mine = draw(20); }}.join();
    law.add(mine);
  }
  EXPECT_TRUE(law.holds());
}

TEST(Law3, TwoForkedChildrenDoNotShareASequence) {
  static_cast<void>(draw(1));
  all_different law;
  for (int i = 0; i < 4; ++i) law.add(draw_in_child().drawn);
  for (int i = 0; i < 2; ++i) law.add(draw_in_child(true).drawn);
  law.add(draw_in_child(false, true).drawn);
  law.add(draw(1000));
  EXPECT_TRUE(law.holds());
}

/// Of words taken as numbers in (-1/2, 1/2): 1 when one sequence follows the other, about 0 when they are unrelated.
double correlation(words const& a, words const& b) {
  double both = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (static_cast<double>(a[i]) * 0x1p-64 - 0.5) * (static_cast<double>(b[i]) * 0x1p-64 - 0.5);
  }
  return 12 * both / static_cast<double>(a.size());
}

// Six standard deviations, since these numbers are other ones in every run.
TEST(Law3, SequencesOfThreadsAndCallsAreUncorrelated) {
  constexpr std::size_t count = 20'000;
  std::vector<words> drawn(4);
  support::together(4, [&](unsigned index) { drawn[index] = draw(count); });
  drawn.push_back(draw(count));
  drawn.push_back(draw(count));  // the numbers that later calls of this thread draw
  double const most = 6 / std::sqrt(static_cast<double>(count));
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_LT(std::abs(correlation(drawn[i], drawn[j])), most) << i << " " << j;
    words const next(drawn[i].begin() + 1, drawn[i].end());
    EXPECT_LT(std::abs(correlation(next, drawn[i])), most) << i;
  }
}

constexpr char const* where_to_say = "ANEW_TESTS_SAY_WHAT_IS_DRAWN_TO";

/// What another process of this program, which is nobody's copy, draws first.
report draw_in_another_process() {
  return said_by([](int to) {
    ::setenv(where_to_say, std::to_string(to).c_str(), 1);
    ::execl("/proc/self/exe", "laws", nullptr);
    ::_exit(127);
  });
}

/// Such a process says what it draws and ends, before it would run tests.
[[maybe_unused]] bool const is_no_such_process = [] {
  char const* const to = std::getenv(where_to_say);
  if (to != nullptr) say(std::atoi(to), drawn_here());
  return true;
}();

TEST(Law3, NoTwoProcessesShareASequence) {
  all_different law;
  for (int i = 0; i < 3; ++i) {
    auto const seen = draw_in_another_process();
    law.add(seen.drawn);
    EXPECT_EQ(seen.requests, 1U);
  }
  law.add(draw(1000));
  EXPECT_TRUE(law.holds());
}

TEST(Law3, TheRandomSourceIsTouchedOncePerDelay) {
  anew::testing::scripted_random const random;
  auto const s = anew::compose(random, anew::max_attempts{4});
  auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
  EXPECT_EQ(random.calls(), 1U);
  next = s.refresh_retry_token(*std::move(next), failure{});
  EXPECT_EQ(random.calls(), 2U);
  s.record_success(*std::move(next));
  EXPECT_EQ(random.calls(), 2U);
}

TEST(Law3, TheRandomSourceIsNotTouchedWithoutADelayToDraw) {
  anew::testing::scripted_random const random;
  auto const refuse = [&random](auto const& s, failure const& f) {
    EXPECT_FALSE(s.refresh_retry_token(s.acquire_initial_token(), f).has_value());
    EXPECT_EQ(random.calls(), 0U);
  };
  auto const by_default = anew::compose(random);
  by_default.record_success(by_default.acquire_initial_token());
  refuse(by_default, failure{.safety = retry_safety::no});
  refuse(anew::compose(random, anew::max_attempts{1}), failure{});
  refuse(anew::compose(random, anew::token_bucket{0}), failure{});
  auto const unjittered = anew::compose(random, anew::no_jitter{});
  EXPECT_TRUE(unjittered.refresh_retry_token(unjittered.acquire_initial_token(), failure{}).has_value());
  auto const at_once = anew::compose(random, anew::no_backoff{});
  EXPECT_TRUE(at_once.refresh_retry_token(at_once.acquire_initial_token(), failure{}).has_value());
  EXPECT_EQ(random.calls(), 0U);
}

// This process is nobody's forked child. Threads that drew first at the same time asked once each, because none waits for
// another; after that nobody asks.
TEST(Law13, TheSystemIsAskedBeforeTheFirstNumberOnly) {
  static_cast<void>(draw(1));
  auto const before = requests();
  EXPECT_GE(before, 1U);
  EXPECT_LE(before, 64U) << "no more than the threads that a test before this one started";
  support::together(8, [](unsigned /*index*/) { static_cast<void>(draw(100)); });
  static_cast<void>(draw(1000));
  EXPECT_EQ(requests(), before);
}

TEST(Law13, AForkedChildAsksOnceMore) {
  static_cast<void>(draw(1));
  auto const before = requests();
  EXPECT_EQ(draw_in_child().requests, before + 1);
  EXPECT_EQ(draw_in_child(true).requests, before + 1);
  EXPECT_EQ(draw_in_child(false, true).requests, before + 1) << "the child draws nothing, and its child does";
  EXPECT_EQ(requests(), before);
}

/// Ends the process with 0 if everything held: to be run in a process that has drawn nothing yet.
[[noreturn]] void in_a_fresh_process() {
  anew::strategy<> const s{};
  s.record_success(s.acquire_initial_token());
  static_cast<void>(s.refresh_retry_token(s.acquire_initial_token(), failure{.safety = retry_safety::no}));
  anew::never const once{};
  static_cast<void>(once.refresh_retry_token(once.acquire_initial_token(), failure{}));
  if (requests() != 0) std::_Exit(2);  // nothing was drawn, and nothing asked
  auto const child = draw_in_child();
  if (child.requests != 1 || requests() != 0) std::_Exit(3);
  static_cast<void>(s.refresh_retry_token(s.acquire_initial_token(), failure{}));
  if (requests() != 1) std::_Exit(4);
  all_different law;
  law.add(child.drawn);
  law.add(draw(64));
  std::_Exit(law.holds() ? 0 : 5);
}

// A death test of this style runs its statement in a new process, which no other test has touched.
TEST(Law13DeathTest, NothingIsAskedBeforeTheFirstDelay) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(in_a_fresh_process(), testing::ExitedWithCode(0), "");
}

}  // namespace
