// SPDX-License-Identifier: BSL-1.0
// Many calls on one thread, under a manual clock: when and in which order they run, what a destroyed one leaves behind,
// and how much stack a long one takes.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"
#include "anew/testing/manual_clock.hpp"

#include "coroutine_support.hpp"
#include "driver_support.hpp"
#include "names.hpp"

namespace coroutine_event_loop_test {
namespace {

using support::audited_quota, support::eager, support::manual_loop, support::no_sleep, support::start;

TEST(CoroutineLoop, ACallThatIsDestroyedInTheMiddleGivesBackWhatItHolds) {
  // Each attempt waits too: an odd number of steps ends in a wait of an attempt, an even one in a sleep.
  int const frames = eager<bool>::promise_type::alive;
  for (int steps = 0; steps <= 8; ++steps) {
    manual_loop loop{manual_clock{}};
    audited_quota::books books;
    auto const strategy = anew::compose(anew::retry_all{}, anew::constant_backoff<10ms>{}, anew::no_jitter{},
                                        anew::max_attempts<5>{}, audited_quota{books});
    auto held = std::make_shared<int>(1);
    {
      auto const call = anew::retry(
          strategy,
          [&, held]() -> eager<bool> {
            co_await loop.after(1ms);
            co_return false;
          },
          [&, held](anew::duration delay) { return loop.after(delay); });
      for (int i = 0; i < steps; ++i) loop.step();
      EXPECT_FALSE(call.done());
      EXPECT_EQ(loop.waiting(), 1U);
      EXPECT_EQ(held.use_count(), 3);
    }
    EXPECT_EQ(loop.waiting(), 0U);
    EXPECT_EQ(held.use_count(), 1) << "operation and sleep went with the frame";
    EXPECT_EQ(books.outstanding(), 0U);
    EXPECT_EQ(books.acquired.load(), static_cast<std::uint64_t>((steps + 1) / 2));
    EXPECT_EQ(books.released.load(), steps == 0 ? 0U : 1U);
    EXPECT_EQ(eager<bool>::promise_type::alive, frames);
  }
}

/// How far apart the frames of the deepest and the flattest call are.
struct stack_meter {
  [[gnu::noinline]] void look() {
    auto const here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));  // NOLINT(*-reinterpret-cast)
    lowest_ = std::min(lowest_, here);
    highest_ = std::max(highest_, here);
  }
  [[nodiscard]] std::uintptr_t range() const noexcept { return highest_ - lowest_; }

 private:
  std::uintptr_t lowest_ = UINTPTR_MAX;
  std::uintptr_t highest_ = 0;
};

// If each left 16 bytes on the stack, these would be four hundred pages.
using many = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<100'000>>;
constexpr std::uintptr_t a_page = 4096;

TEST(CoroutineLoop, ManyRetriesTakeNoStack) {
  auto const take_no_stack = [](auto const& run) {
    stack_meter meter;
    std::uint32_t calls = 0;
    auto call = run([&] { return meter.look(), ++calls == 100'000; });
    EXPECT_TRUE(call.get());
    EXPECT_EQ(calls, 100'000U);
    EXPECT_LT(meter.range(), a_page);
  };
  take_no_stack([](auto step) { return anew::retry(many{}, [step]() -> eager<bool> { co_return step(); }, no_sleep); });
  take_no_stack([](auto step) {
    return start(anew::retry(
        many{}, [step]() -> anew::task<bool> { co_return step(); },
        [](anew::duration /*delay*/) -> anew::task<> { co_return; }));
  });
  take_no_stack(
      [](auto step) { return start(anew::retry(many{}, [step] { return support::ready<bool>{step()}; }, no_sleep)); });
}

}  // namespace
}  // namespace coroutine_event_loop_test
