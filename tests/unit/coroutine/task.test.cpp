// SPDX-License-Identifier: BSL-1.0
#include <coroutine>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/bridges/coroutine/task.hpp"
#include "anew/testing/manual_clock.hpp"

#include "coroutine_support.hpp"
#include "driver_support.hpp"
#include "names.hpp"

namespace coroutine_task_test {
namespace {

using anew::task;
using support::eager, support::manual_loop, support::start, support::tracked;

static_assert(!std::is_copy_constructible_v<task<>>);
static_assert(!std::is_copy_assignable_v<task<int>>);
static_assert(std::is_nothrow_move_constructible_v<task<int>>);
static_assert(std::is_nothrow_move_assignable_v<task<int>>);

TEST(Task, IsLazy) {
  bool begun = false;
  auto const make = [&]() -> task<int> {
    begun = true;
    co_return 5;
  };
  {
    auto const thrown_away = make();
  }
  auto one = make();
  EXPECT_FALSE(begun);
  EXPECT_EQ(start(std::move(one)).get(), 5);
  EXPECT_TRUE(begun);
}

TEST(Task, ResultsOfEveryKind) {
  EXPECT_EQ(*start([]() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(3); }()).get(), 3);
  int there = 1;
  EXPECT_EQ(&start([](int& i) -> task<int&> { co_return i; }(there)).get(), &there);
  static_assert(std::is_same_v<decltype(start(std::declval<task<int&>>()).get()), int&>);
  start([]() -> task<> { co_return; }()).get();
  EXPECT_EQ(start([]() -> task<std::string> { co_return "converted"; }()).get(), "converted");
  EXPECT_EQ(start([]() -> task<std::pair<int, int>> { co_return {1, 2}; }()).get().second, 2);

  tracked::reset();
  {
    auto one = start([]() -> task<tracked> { co_return tracked{8}; }());
    EXPECT_EQ(one.get().value, 8);
  }
  EXPECT_EQ(tracked::copies, 0);
  EXPECT_EQ(tracked::alive, 0);
}

TEST(Task, ExceptionsAreTheSameObject) {
  void const* thrown = nullptr;
  auto one = start([](void const*& at) -> task<int> {
    try {
      throw std::runtime_error{"mine"};
    } catch (std::exception const& e) {
      at = &e;
      throw;
    }
    co_return 1;
  }(thrown));
  try {
    (void)one.get();
    ADD_FAILURE();
  } catch (std::runtime_error const& e) {
    EXPECT_EQ(&e, thrown);
  }
  EXPECT_THROW(start([]() -> task<> {
                 throw 1;
                 co_return;
               }())
                   .get(),
               int);
}

TEST(Task, GoesOnWhereTheAwaitedOneLeftIt) {
  manual_loop loop{manual_clock{}};
  std::vector<int> order;
  auto const inner = [&](int n) -> task<int> {
    order.push_back(n);
    co_await loop.after(std::chrono::milliseconds{n});
    order.push_back(-n);
    co_return n;
  };
  auto const outer = [&]() -> task<int> {
    int const one = co_await inner(1);
    int const two = co_await inner(2);
    co_return one + two;
  };
  auto all = start(outer());
  EXPECT_EQ(order, std::vector<int>{1});
  EXPECT_FALSE(all.done());
  loop.step();
  EXPECT_EQ(order, (std::vector<int>{1, -1, 2}));
  loop.step();
  EXPECT_TRUE(all.done());
  EXPECT_EQ(all.get(), 3);
}

TEST(Task, DestroyedInTheMiddleItTakesTheInnerOneWithIt) {
  manual_loop loop{manual_clock{}};
  tracked::reset();
  {
    auto const inner = [&]() -> task<> {
      tracked const local{1};
      co_await loop.after(std::chrono::seconds{1});
    };
    auto const outer = [&]() -> task<> {
      tracked const local{2};
      co_await inner();
    };
    auto const all = start(outer());
    EXPECT_EQ(tracked::alive, 2);
    EXPECT_EQ(loop.waiting(), 1U);
  }
  EXPECT_EQ(tracked::alive, 0);
  EXPECT_EQ(loop.waiting(), 0U);
}

TEST(Task, MovesAndAssigns) {
  tracked::reset();
  auto const make = [](tracked t) -> task<int> { co_return t.value; };
  {
    auto one = make(tracked{1});
    auto two = make(tracked{2});
    EXPECT_EQ(tracked::alive, 2);
    one = std::move(two);
    EXPECT_EQ(tracked::alive, 1);
    auto& same = one;
    one = std::move(same);
    auto three = std::move(one);
    EXPECT_EQ(start(std::move(three)).get(), 2);
  }
  EXPECT_EQ(tracked::alive, 0);
}

/// Resumes on another thread, as soon as it can: the task may end before whoever began it has left `await_suspend`.
struct elsewhere {
  std::vector<std::jthread>* threads;
  [[nodiscard]] static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) const {
    threads->emplace_back([h] { h.resume(); });
  }
  static void await_resume() noexcept {}
};

TEST(Task, MayEndOnAnotherThread) {
  for (int i = 0; i < 200; ++i) {
    std::vector<std::jthread> threads;
    threads.reserve(4);  // the second is made on the first
    std::binary_semaphore over{0};
    auto const inner = [&]() -> task<int> {
      co_await elsewhere{&threads};
      co_return 4;
    };
    auto const outer = [&]() -> task<int> { co_return co_await inner() + 1; };
    auto const root = [&]() -> eager<> {
      EXPECT_EQ(co_await outer(), 5);
      over.release();
    };
    auto const all = root();
    over.acquire();
    threads.clear();  // joined: the frame is at its end
    EXPECT_TRUE(all.done());
  }
}

}  // namespace
}  // namespace coroutine_task_test
