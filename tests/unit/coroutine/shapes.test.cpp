// SPDX-License-Identifier: BSL-1.0
// Awaitables and tasks of other libraries' shapes, and which of the calls named `retry` is meant.
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/testing/manual_clock.hpp"

#include "coroutine_support.hpp"
#include "driver_support.hpp"
#include "names.hpp"

namespace coroutine_shapes_test {

// Awaited by a member, by a function beside it, by being an awaiter.
namespace shapes {

struct by_member {
  int value;
  auto operator co_await() && { return support::ready<int>{value}; }
};
struct by_function {
  int value;
};
auto operator co_await(by_function&& awaited) { return support::ready<int>{awaited.value}; }
using awaiter_only = support::ready<int>;

struct pause {
  anew::duration delay;
};
/// Its coroutines await nothing but pauses and others of its kind.
struct stepwise {
  struct promise_type {
    std::suspend_always await_transform(pause awaited);
    awaiter_only await_transform(stepwise&& inner);
  };
};

/// A promise that is made of the coroutine's parameters.
struct looks_at_parameters {
  static inline std::size_t constructed_with = 99;
  struct promise_type {
    template <class... Args>
    explicit promise_type(Args&... /*args*/) {
      constructed_with = sizeof...(Args);
    }
    bool value = false;
    std::exception_ptr thrown = nullptr;
    looks_at_parameters get_return_object() {
      return looks_at_parameters{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(bool v) noexcept { value = v; }
    void unhandled_exception() { thrown = std::current_exception(); }
  };
  explicit looks_at_parameters(std::coroutine_handle<promise_type> h) noexcept : frame{h} {}
  looks_at_parameters(looks_at_parameters&& other) noexcept : frame{std::exchange(other.frame, nullptr)} {}
  ~looks_at_parameters() {
    if (frame) frame.destroy();
  }
  [[nodiscard]] static bool await_ready() noexcept { return true; }
  static void await_suspend(std::coroutine_handle<> /*h*/) noexcept {}
  [[nodiscard]] bool await_resume() const {
    if (frame.promise().thrown) std::rethrow_exception(frame.promise().thrown);
    return frame.promise().value;
  }
  std::coroutine_handle<promise_type> frame;
};

/// A result that can be awaited, as some kinds of expected can, and is no task.
struct awaitable_result {
  int failed;
  [[nodiscard]] bool has_value() const noexcept { return failed == 0; }
  [[nodiscard]] int error() const noexcept { return failed; }
  [[nodiscard]] static bool await_ready() noexcept { return true; }
  static void await_suspend(std::coroutine_handle<> /*h*/) noexcept {}
  static int await_resume() noexcept { return 1; }
};

}  // namespace shapes

namespace {

using support::eager, support::flag_stop, support::manual_loop, support::no_sleep, support::start;

/// What is below 3 is retried.
using too_small = decltype([](int value) { return value < 3; });
using until_three =
    anew::strategy<anew::retry_while<too_small>, anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<9>>;
using three = anew::strategy<anew::retry_all, anew::constant_backoff<1ms>, anew::no_jitter, anew::max_attempts<3>>;

TEST(CoroutineShapes, AwaitedByAMemberByAFunctionOrByItself) {
  auto const check = [](auto const& awaited_of) {
    int n = 0;
    auto call = anew::retry(until_three{}, [&] { return awaited_of(++n); }, no_sleep);
    static_assert(std::is_same_v<decltype(call), anew::task<int>>);
    EXPECT_EQ(n, 0) << "a task is lazy";
    EXPECT_EQ(start(std::move(call)).get(), 3);
  };
  check([](int n) { return shapes::by_member{n}; });
  check([](int n) { return shapes::by_function{n}; });
  check([](int n) { return shapes::awaiter_only{n}; });
}

TEST(CoroutineShapes, SleepsOfEveryShape) {
  auto const check = [](auto const& sleep) {
    int n = 0;
    EXPECT_EQ(start(anew::retry(until_three{}, [&] { return shapes::awaiter_only{++n}; }, sleep)).get(), 3);
  };
  check([](anew::duration) { return shapes::by_member{0}; });
  check([](anew::duration) { return shapes::by_function{0}; });
  check([](anew::duration) -> eager<> { co_return; });
  check(std::function<std::suspend_never(anew::duration)>{[](anew::duration) { return std::suspend_never{}; }});
}

TEST(CoroutineShapes, AnAwaitableThatTheOperationDoesNotOwn) {
  // co_await of an lvalue: one timer for all attempts, say.
  shapes::awaiter_only mine{5};
  auto call = anew::retry(until_three{}, [&]() -> shapes::awaiter_only& { return mine; }, no_sleep);
  static_assert(std::is_same_v<decltype(call), anew::task<int>>);
  EXPECT_EQ(start(std::move(call)).get(), 5);
}

TEST(CoroutineShapes, ReferencesOfBothKinds) {
  auto mine = std::make_unique<int>(7);
  struct gives_rvalue : std::suspend_never {
    std::unique_ptr<std::string>* of;
    explicit gives_rvalue(std::unique_ptr<std::string>& p) : of{&p} {}
    [[nodiscard]] std::string&& await_resume() const { return std::move(**of); }
  };
  struct gives_lvalue : std::suspend_never {
    int* of;
    explicit gives_lvalue(int& i) : of{&i} {}
    [[nodiscard]] int& await_resume() const { return *of; }
  };
  auto text = std::make_unique<std::string>(100, 'x');
  auto moved = anew::retry(three{}, [&] { return gives_rvalue{text}; }, no_sleep);
  static_assert(std::is_same_v<decltype(moved), anew::task<std::string>>, "no reference into an attempt that is over");
  EXPECT_EQ(start(std::move(moved)).get(), std::string(100, 'x'));
  auto referred = anew::retry(three{}, anew::throws_only([&] { return gives_lvalue{*mine}; }), no_sleep);
  static_assert(std::is_same_v<decltype(referred), anew::task<int&>>);
  EXPECT_EQ(&start(std::move(referred)).get(), mine.get());
}

bool says_no() { return false; }

TEST(CoroutineShapes, APromiseMayLookAtTheParameters) {
  using shapes::looks_at_parameters;
  auto const call =
      anew::retry(three{}, [](anew::attempt& /*self*/) -> looks_at_parameters { co_return true; }, no_sleep);
  EXPECT_TRUE(call.await_resume());
  EXPECT_LE(looks_at_parameters::constructed_with, 2U) << "the operation's, made last: itself and the attempt";
  // A circuit that is open: our coroutine is the only one that is made.
  auto const open = anew::compose(anew::retry_all{}, anew::circuit_breaker<1, 1h>{}, anew::max_attempts<1>{});
  EXPECT_FALSE(anew::retry(open, says_no));
  auto const refused = anew::retry(open, []() -> looks_at_parameters { co_return true; }, no_sleep);
  EXPECT_THROW((void)refused.await_resume(), anew::call_refused);
  EXPECT_EQ(looks_at_parameters::constructed_with, 4U) << "strategy, operation, sleep and stop token";
}

template <class Promise, class... Awaitables>
constexpr bool are_awaitable = (anew::detail::AwaitableIn<Promise, Awaitables> && ...);
template <class Promise, class... Others>
constexpr bool none_is_awaitable = !(anew::detail::AwaitableIn<Promise, Others> || ...);

TEST(CoroutineShapes, WhatIsAwaitable) {
  // An operator for rvalues is for no lvalue; a timer cannot be moved.
  static_assert(are_awaitable<void, shapes::by_member, shapes::by_function, shapes::awaiter_only, shapes::awaiter_only&,
                              anew::task<>, manual_loop::timer>);
  static_assert(none_is_awaitable<void, shapes::by_member&, anew::task<>&, int, void, std::string, shapes::pause>);
  static_assert(are_awaitable<eager<int>::promise_type, anew::task<int>>);
  static_assert(none_is_awaitable<eager<int>::promise_type, void>);
  using promise = shapes::stepwise::promise_type;
  static_assert(are_awaitable<promise, shapes::pause>);
  static_assert(none_is_awaitable<promise, std::suspend_never>, "its promise has a word in it");
  using operation = shapes::stepwise (*)();
  static_assert(anew::detail::AwaitedOperation<operation>, "awaited by its own kind alone, and so without a sleep too");
  static_assert(std::is_same_v<anew::detail::awaited_in<void, anew::task<int&>>, int&>);
  static_assert(std::is_same_v<anew::detail::awaited_in<void, anew::task<>>, void>);
}

// Which `retry` is meant, in both directions, with both headers included, for every category of argument.
template <class Result, class... Args>
constexpr bool returns = std::is_same_v<decltype(anew::retry(std::declval<Args>()...)), Result>;

template <class Result, class S, class Op, class Sleep>
constexpr bool is_the_same_for_all_arguments() {
  using stop = flag_stop const&;
  auto const all = []<class Strategy>(std::type_identity<Strategy>) {
    return returns<Result, Strategy, Op, Sleep> && returns<Result, Strategy, Op&, Sleep&> &&
           returns<Result, Strategy, Op const&, Sleep const&> && returns<Result, Strategy, Op, Sleep, stop> &&
           returns<Result, Strategy, Op const&, Sleep&, flag_stop>;
  };
  return all(std::type_identity<S>{}) && all(std::type_identity<S&>{}) && all(std::type_identity<S const&>{}) &&
         all(std::type_identity<S const>{});
}

using blocks = decltype([](anew::duration /*delay*/) {});
using awaits = decltype([](anew::duration /*delay*/) -> support::ready<void> { return {}; });
using says_yes = decltype([]() { return true; });
using task_of_yes = decltype([](anew::attempt& /*self*/) -> eager<bool> { co_return true; });
using awaitable_yes = decltype([]() -> support::ready<bool> { return {true}; });
struct expected_that_can_be_awaited {
  shapes::awaitable_result operator()() const { return {failures-- > 0 ? 5 : 0}; }
  mutable int failures = 0;
};

static_assert(is_the_same_for_all_arguments<bool, three, says_yes, blocks>());
static_assert(is_the_same_for_all_arguments<eager<bool>, three, task_of_yes, awaits>());
static_assert(is_the_same_for_all_arguments<anew::task<bool>, three, awaitable_yes, awaits>());
static_assert(is_the_same_for_all_arguments<shapes::awaitable_result, three, expected_that_can_be_awaited, blocks>());
static_assert(returns<bool, three, says_yes> && returns<bool, three, says_yes, flag_stop>);
static_assert(returns<shapes::awaitable_result, three, expected_that_can_be_awaited>);

TEST(CoroutineShapes, AnExpectedThatCanBeAwaitedIsReadWhereTheSleepBlocks) {
  int slept = 0;
  auto const result = anew::retry(three{}, expected_that_can_be_awaited{2}, [&](anew::duration) { ++slept; });
  EXPECT_TRUE(result.has_value());
  EXPECT_EQ(slept, 2);
}

}  // namespace
}  // namespace coroutine_shapes_test
