// SPDX-License-Identifier: BSL-1.0
// Laws 3 and 13, of random numbers: never shared, touched only for a delay, and the system is asked once per process.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "scripted_random.hpp"

namespace {

using namespace std::chrono_literals;
using anew::failure;
using anew::retry_safety;
using anew::thread_random;

using words = std::vector<std::uint64_t>;

words draw(std::size_t count) {
  words drawn(count);
  for (auto& word : drawn) word = thread_random{}();
  return drawn;
}

std::uint64_t requests() { return anew::detail::entropy_requests().load(); }

/// What a forked child saw.
struct report {
  std::array<std::uint64_t, 64> drawn;
  std::uint64_t requests;
};

/// Forks, draws in the child (in a thread of its own where asked), and reads by a pipe what it saw.
report draw_in_child(bool by_thread = false, bool by_grandchild = false) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  pid_t const child = ::fork();
  if (child == 0) {
    report seen{};
    auto const fill = [&seen] {
      for (auto& word : seen.drawn) word = thread_random{}();
    };
    if (by_grandchild) {
      seen = draw_in_child();
    } else if (by_thread) {
      std::thread{fill}.join();
    } else {
      fill();
    }
    if (!by_grandchild) seen.requests = requests();
    bool const written = ::write(ends[1], &seen, sizeof seen) == static_cast<ssize_t>(sizeof seen);
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  report seen{};
  EXPECT_EQ(::read(ends[0], &seen, sizeof seen), static_cast<ssize_t>(sizeof seen));
  ::close(ends[0]);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return seen;
}

/// Every word is new: 64-bit words that are not shared do not meet by chance.
class all_different {
 public:
  template <class Words>
  void add(Words const& drawn) {
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
  std::vector<std::thread> threads;
  for (auto& mine : drawn) threads.emplace_back([&mine] { mine = draw(1000); });
  for (auto& t : threads) t.join();
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

TEST(Law3, AForkedChildDoesNotContinueItsParentsSequence) {
  static_cast<void>(draw(1));
  all_different law;
  law.add(draw_in_child().drawn);
  law.add(draw(1000));
  EXPECT_TRUE(law.holds());
}

TEST(Law3, TwoForkedChildrenDoNotShareASequence) {
  static_cast<void>(draw(1));
  all_different law;
  for (int i = 0; i < 4; ++i) law.add(draw_in_child().drawn);
  law.add(draw_in_child(true).drawn);
  law.add(draw_in_child(true).drawn);
  law.add(draw_in_child(false, true).drawn);
  law.add(draw(1000));
  EXPECT_TRUE(law.holds());
}

TEST(Law3, TheRandomSourceIsTouchedOncePerDelay) {
  support::scripted_random const random;
  auto const s = anew::compose(random, anew::max_attempts{4});
  auto next = s.refresh_retry_token(s.acquire_initial_token(), failure{});
  EXPECT_EQ(random.calls(), 1U);
  next = s.refresh_retry_token(*std::move(next), failure{});
  EXPECT_EQ(random.calls(), 2U);
  s.record_success(*std::move(next));
  EXPECT_EQ(random.calls(), 2U);
}

TEST(Law3, TheRandomSourceIsNotTouchedWithoutADelayToDraw) {
  support::scripted_random const random;
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

// This process is nobody's forked child, so whoever drew first, and however often, one request is all there is.
TEST(Law13, TheSystemIsAskedOncePerProcess) {
  static_cast<void>(draw(1));
  EXPECT_EQ(requests(), 1U);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([] { static_cast<void>(draw(100)); });
  for (auto& t : threads) t.join();
  static_cast<void>(draw(1000));
  EXPECT_EQ(requests(), 1U);
}

TEST(Law13, AForkedChildAsksOnceMore) {
  static_cast<void>(draw(1));
  auto const before = requests();
  EXPECT_EQ(draw_in_child().requests, before + 1);
  EXPECT_EQ(draw_in_child(true).requests, before + 1);
  EXPECT_EQ(draw_in_child(false, true).requests, before + 2);
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
