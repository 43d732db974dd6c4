// SPDX-License-Identifier: BSL-1.0
// The child of a process with threads makes a call at once, whatever the threads were doing when it was forked. They do
// not exist in the child, so that nothing which they hold is ever let go there: no lock, no guard of a static.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies.hpp"
#include "anew/ports/aws/strategy_store.hpp"
#include "anew/ports/smithy_kotlin/retry_token_bucket.hpp"

#include "names.hpp"
#include "pinned.hpp"
#include "process_support.hpp"
#include "sanitized.hpp"

namespace {

/// Holds the thread that asks the operating system for randomness where it is.
std::atomic<bool> holds_whoever_asks{false};
std::atomic<bool> somebody_asks{false};

}  // namespace

/// In the place of the C library's, for this program.
extern "C" int getentropy(void* buffer, std::size_t length) {
  if (holds_whoever_asks) {
    somebody_asks = true;
    while (holds_whoever_asks) std::this_thread::yield();
  }
  return ::syscall(SYS_getrandom, buffer, length, 0) == static_cast<long>(length) ? 0 : -1;
}

namespace {

constexpr std::uint32_t children = support::watches_memory ? 10 : 100;  // there a fork copies the tables of its shadow

/// True when a forked child comes to the end of `work`; one that waits for a thread which does not exist is killed.
bool a_child_ends(auto const& work) {
  return support::in_a_child([&] { return work(), 0; }) == 0;
}

constexpr failure throttled{anew::error_kind::throttling};

/// Everything with a lock or a guard, used by the threads of the parent and by its children.
struct subject {
  anew::client_rate_limiter<> waiting;
  anew::client_rate_limiter<anew::when_limited::fail_fast> refusing;
  anew::partitioned<std::uint32_t, anew::token_bucket<>> partitions{64};
  anew::aws_settings::reloadable<std::string> settings{std::make_shared<std::string const>(100, 'a')};
#if ANEW_EXCEPTIONS
  anew::smithy_kotlin::standard_retry_token_bucket bucket;
#endif
  anew::strategy<anew::retry_all, anew::retry_budget<>, anew::rate_breaker<100>,
                 anew::client_rate_limiter<anew::when_limited::fail_fast>>
      strategy;

  template <class Limiter>
  static void use(Limiter const& limiter, std::uint32_t number) {
    time_point const now{std::chrono::milliseconds{number}};
    typename Limiter::ticket_type ticket{};
    static_cast<void>(limiter.ask(ticket, now));
    limiter.on_failure(throttled, now);
    limiter.on_success(now);
    limiter.release(ticket);
  }
  void use_everything(std::uint32_t number) {
    use(waiting, number);
    use(refusing, number);
    partitions.at(number).policy().on_success({});
    settings.replace(std::make_shared<std::string const>(100 + number % 9, 'b'));
    if (settings.snapshot()->size() < 100) ::_exit(2);
#if ANEW_EXCEPTIONS
    static_cast<void>(bucket.balance());
#endif
    anew::thread_random random;
    static_cast<void>(random());
    int calls = 0;
    static_cast<void>(anew::retry(
        strategy, [&calls]() -> std::optional<int> { return ++calls < 2 ? std::nullopt : std::optional{calls}; },
        [](anew::duration) {}));
  }
};

/// Threads that do `work(number)` over and over, with other numbers.
struct busy_threads : support::pinned {
  busy_threads(unsigned count, std::function<void(std::uint32_t)> const& work) {
    for (unsigned i = 0; i < count; ++i) {
      threads_.emplace_back([this, work, i] {
        for (std::uint32_t number = i; !over_; number += 7) work(number);
      });
    }
  }
  ~busy_threads() {
    over_ = true;
    for (auto& one : threads_) one.join();
  }

 private:
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

void expect_that_children_end(std::function<void(subject&, std::uint32_t)> const& work) {
  subject it;
  busy_threads const parents{3, [&](std::uint32_t number) { work(it, number); }};
  for (std::uint32_t i = 0; i < children; ++i) {
    ASSERT_TRUE(a_child_ends([&] {
      for (std::uint32_t number = 0; number < 100; ++number) it.use_everything(1000 * i + number);
    })) << "child "
        << i;
  }
}

TEST(Fork, WhileOthersUseALimiter) {
  expect_that_children_end([](subject& it, std::uint32_t number) { subject::use(it.waiting, number); });
}
TEST(Fork, WhileOthersAreRefused) {
  expect_that_children_end([](subject& it, std::uint32_t number) { subject::use(it.refusing, number); });
}
TEST(Fork, WhileOthersMakePartitions) {
  expect_that_children_end([](subject& it, std::uint32_t number) { static_cast<void>(it.partitions.at(number)); });
}
TEST(Fork, WhileOthersReload) {
  expect_that_children_end([](subject& it, std::uint32_t number) {
    it.settings.replace(std::make_shared<std::string const>(100 + number % 9, 'c'));
  });
}
#if ANEW_EXCEPTIONS
TEST(Fork, WhileOthersSpend) {
  expect_that_children_end([](subject& it, std::uint32_t) { static_cast<void>(it.bucket.balance()); });
}
#endif
TEST(Fork, WhileOthersUseEverything) {
  expect_that_children_end([](subject& it, std::uint32_t number) { it.use_everything(number); });
}
TEST(Fork, WhileThreadsBegin) {
  expect_that_children_end(
      [](subject&, std::uint32_t) { std::thread{[] { static_cast<void>(anew::thread_random{}()); }}.join(); });
}

std::atomic<int> held_key{0};
std::atomic<bool> is_held{false};
/// A key whose comparison, under the registry's lock, keeps the thread that compares it where it is.
struct key {
  int number;
  friend bool operator==(key const& in_the_table, key const& of) noexcept {
    if (of.number == held_key) {
      is_held = true;
      while (of.number == held_key) std::this_thread::yield();
    }
    return in_the_table.number == of.number;
  }
};
struct hash_of_key {
  std::size_t operator()(key const& /*key*/) const noexcept { return 1; }
};

}  // namespace
template <>
struct std::hash<key> : hash_of_key {};
namespace {

TEST(Fork, AChildDoesNotReadARegistryThatWasBeingChanged) {
  anew::partitioned<key, anew::token_bucket<>> partitions{8};
  static_cast<void>(partitions.at({1}));
  held_key = 2;
  std::thread inside{[&] { static_cast<void>(partitions.at({2})); }};
  while (!is_held) std::this_thread::yield();
  EXPECT_TRUE(a_child_ends([&] {
    held_key = 0;
    if (partitions.size() != 0) ::_exit(3);
    static_cast<void>(partitions.at({3}));
    static_cast<void>(partitions.at({2}));
    if (partitions.size() != 2) ::_exit(4);
  }));
  held_key = 0;
  inside.join();
  EXPECT_EQ(partitions.size(), 2U);
  EXPECT_TRUE(a_child_ends([&] {
    if (partitions.size() != 2) ::_exit(5);  // nobody was inside: the child has what its parent has
  }));
}

/// In a process that has drawn nothing yet: ends it with 0 if the child of a parent that is just being seeded draws.
[[noreturn]] void fork_while_a_thread_draws_the_first_number() {
  holds_whoever_asks = true;
  std::thread first{[] { static_cast<void>(anew::thread_random{}()); }};
  while (!somebody_asks) std::this_thread::yield();
  bool const ended = a_child_ends([] {
    holds_whoever_asks = false;
    static_cast<void>(anew::thread_random{}());
  });
  holds_whoever_asks = false;
  first.join();
  std::_Exit(ended ? 0 : 1);
}

TEST(ForkDeathTest, WhileAThreadDrawsTheFirstNumberOfTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fork_while_a_thread_draws_the_first_number(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
