// SPDX-License-Identifier: BSL-1.0
// What a call may not cost: memory from the heap, and stack that grows with the attempts.
#include <chrono>
#include <cstdint>
#include <system_error>
#include <version>

#include <gtest/gtest.h>
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

#include "anew/anew.hpp"

#include "counted_heap.hpp"
#include "driver_support.hpp"
#include "names.hpp"

namespace retry_cost_test {
namespace {

#if !ANEW_TEST_UNDER_TSAN
using support::allocations_of;

TEST(RetryCost, TheHeapIsWatched) {
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(1)); }), 1);
}

TEST(RetryCost, NoAllocationInACallThatSucceedsAtOnce) {
  anew::strategy<anew::retry_all> const plain;
  anew::strategy<anew::retry_all, anew::token_bucket<100>, anew::deadline<10s>, anew::max_attempts<3>> const everything;
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i != 10; ++i) {
                (void)anew::retry(plain, [] { return true; });
                (void)anew::retry(everything, [](anew::attempt& /*a*/) { return true; });
                static_cast<void>(anew::retry_outcome(everything, [] { return true; }));
              }
            }),
            0);
}

TEST(RetryCost, NoAllocationInACallThatRetries) {
  // Real random numbers, a quota, a deadline, the blocking sleeper: what a user has.
  anew::strategy<anew::retry_all, anew::exponential_backoff<1ns, 8ns>, anew::token_bucket<1000>, anew::deadline<1h>,
                 anew::max_attempts<5>> const strategy;
  anew::strategy<anew::retry_all, anew::exponential_backoff<1ns, 8ns>, anew::decorrelated_jitter,
                 anew::max_attempts<5>> const decorrelated;
  int calls = 0;
  EXPECT_EQ(allocations_of([&] {
              (void)anew::retry(strategy, [&] { return ++calls, false; });
              (void)anew::retry(strategy, [&](anew::attempt& a) { return ++calls, a.number() == 4; });
              (void)anew::retry(decorrelated, [&] { return ++calls, std::make_error_code(std::errc::timed_out); });
              static_cast<void>(anew::retry_outcome(strategy, [&] { return ++calls, false; }));
            }),
            0);
  EXPECT_EQ(calls, 5 + 4 + 5 + 5);
}

TEST(RetryCost, NoAllocationWithAStopToken) {
  support::flag_stop::state state;
  anew::strategy<anew::retry_all, anew::constant_backoff<1ns>, anew::max_attempts<5>> const strategy;
  EXPECT_EQ(allocations_of([&] { (void)anew::retry(strategy, [&] { return false; }, support::flag_stop{state}); }), 0);
#if defined(__cpp_lib_jthread)
  std::stop_source source;
  EXPECT_EQ(allocations_of([&] { (void)anew::retry(strategy, [&] { return false; }, source.get_token()); }), 0);
#endif
}

#endif

using forever = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, anew::unbounded>;

/// How far apart the frames of an operation's calls are.
class stack_gauge {
 public:
  [[gnu::noinline]] void look() noexcept {
    auto const here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (++calls_ == 1) return;  // the first attempt is made where retry() is called, the others from one function
    lowest_ = calls_ == 2 || here < lowest_ ? here : lowest_;
    highest_ = here > highest_ ? here : highest_;
  }
  [[nodiscard]] std::uintptr_t spread() const noexcept { return highest_ - lowest_; }
  [[nodiscard]] int calls() const noexcept { return calls_; }

 private:
  int calls_ = 0;
  std::uintptr_t lowest_ = 0;
  std::uintptr_t highest_ = 0;
};

TEST(RetryCost, ManyRetriesTakeNoMoreStackThanOne) {
  stack_gauge gauge;
  auto const nothing = [](anew::duration /*d*/) {};
  EXPECT_TRUE(anew::retry(forever{}, [&] { return gauge.look(), gauge.calls() > 100'000; }, nothing));
  EXPECT_EQ(gauge.calls(), 100'001);
  EXPECT_EQ(gauge.spread(), 0U);

  stack_gauge stoppable;
  support::flag_stop::state state;
  EXPECT_EQ(
      anew::retry_outcome(
          forever{}, [&] { return stoppable.look(), stoppable.calls() > 100'000; }, nothing, support::flag_stop{state})
          .attempts(),
      100'001U);
  EXPECT_EQ(stoppable.spread(), 0U);
}

#if ANEW_EXCEPTIONS
TEST(RetryCost, TenThousandExceptionsTakeNoMoreStackThanOne) {
  stack_gauge gauge;
  auto const nothing = [](anew::duration /*d*/) {};
  anew::retry(
      forever{},
      [&] {
        gauge.look();
        if (gauge.calls() <= 10'000) throw 1;
      },
      nothing);
  EXPECT_EQ(gauge.calls(), 10'001);
  EXPECT_EQ(gauge.spread(), 0U);
}
#endif

}  // namespace
}  // namespace retry_cost_test
