// SPDX-License-Identifier: BSL-1.0
// What an awaited call returns, for each shape of a result, and what becomes of what it does not return.
#include <chrono>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"
#include "anew/testing/manual_clock.hpp"

#include "coroutine_support.hpp"
#include "driver_support.hpp"
#include "names.hpp"

namespace coroutine_results_test {
namespace {

using support::eager, support::manual_loop, support::no_sleep, support::recorder, support::tracked;

using four = anew::strategy<anew::retry_all, anew::constant_backoff<5ms>, anew::no_jitter, anew::max_attempts<4>>;

struct move_only {
  std::unique_ptr<int> held;
};

TEST(CoroutineResults, MoveOnlyReferenceAndNothing) {
  int calls = 0;
  auto pointers = anew::retry(
      four{},
      [&]() -> eager<move_only> {
        if (++calls < 2) throw std::runtime_error{"no"};
        co_return move_only{std::make_unique<int>(7)};
      },
      no_sleep);
  EXPECT_EQ(*pointers.get().held, 7);

  int there = 1;
  calls = 0;
  auto references = anew::retry(four{}, anew::throws_only([&]() -> eager<int&> {
                                  if (++calls < 3) throw std::runtime_error{"no"};
                                  co_return there;
                                }),
                                no_sleep);
  static_assert(std::is_same_v<decltype(references), eager<int&>>);
  EXPECT_EQ(&references.get(), &there);

  calls = 0;
  auto nothing = anew::retry(
      four{},
      [&]() -> eager<> {
        if (++calls < 4) throw std::runtime_error{"no"};
        co_return;
      },
      no_sleep);
  nothing.get();
  EXPECT_EQ(calls, 4);
}

TEST(CoroutineResults, TheLastExceptionIsTheSameObject) {
  manual_loop loop{manual_clock{}};
  tracked::reset();
  int calls = 0;
  void const* thrown = nullptr;
  {
    auto call = anew::retry(four{}, anew::throws_only([&]() -> eager<int> {
                              try {
                                throw tracked{++calls};
                              } catch (tracked const& e) {
                                thrown = &e;
                                throw;
                              }
                              co_return 0;
                            }),
                            [&](anew::duration delay) {
                              EXPECT_EQ(tracked::alive, 0) << "what is retried is let go before the sleep";
                              return loop.after(delay);
                            });
    loop.run();
    try {
      (void)call.get();
      ADD_FAILURE() << "nothing was thrown";
    } catch (tracked const& e) {
      EXPECT_EQ(e.value, 4);
      EXPECT_EQ(&e, thrown);
    }
  }
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(tracked::alive, 0);
}

TEST(CoroutineResults, TheOperationIsKeptAtOneAddress) {
  manual_loop loop{manual_clock{}};
  struct addressed {
    std::vector<addressed*>* seen;
    std::unique_ptr<int> move_only = std::make_unique<int>(3);
    eager<bool> operator()() {
      seen->push_back(this);
      co_return --*move_only == 0;
    }
  };
  std::vector<addressed*> seen;
  {
    auto call = anew::retry(four{}, addressed{&seen}, loop.sleep());
    loop.run();
    EXPECT_TRUE(call.get());
  }
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

TEST(CoroutineResults, AnLvalueIsCopiedAndAReferenceIsNot) {
  struct counter {
    int calls = 0;
    eager<bool> operator()() {
      ++calls;
      co_return calls == 2;
    }
  };
  counter mine;
  EXPECT_TRUE(anew::retry(four{}, mine, no_sleep).get());
  EXPECT_EQ(mine.calls, 0);
  EXPECT_TRUE(anew::retry(four{}, std::ref(mine), no_sleep).get());
  EXPECT_EQ(mine.calls, 2);
}

TEST(CoroutineResults, AnLvalueStrategyIsReferredTo) {
  auto const strategy = anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::token_bucket<100>{});
  EXPECT_FALSE(anew::retry(strategy, []() -> eager<bool> { co_return false; }, no_sleep).get());
  EXPECT_EQ(strategy.quota().balance(), 72U);
  auto other = anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::token_bucket<100>{});
  EXPECT_FALSE(anew::retry(other, []() -> eager<bool> { co_return false; }, no_sleep).get());
  EXPECT_EQ(other.quota().balance(), 72U) << "one that is not const is no less an lvalue";
}

TEST(CoroutineResults, AnRvalueStrategyIsKept) {
  manual_loop loop{manual_clock{}};
  auto heard = std::make_shared<recorder::heard>();
  struct keeps {
    using role = anew::roles::observer;
    std::shared_ptr<recorder::heard> to;
    void on_retry(anew::retry_event const& e) const { to->retries.push_back(e); }
  };
  auto call = anew::retry(
      anew::compose(anew::retry_all{}, anew::constant_backoff<1ms>{}, anew::no_jitter{}, keeps{heard},
                    anew::max_attempts<3>{}),
      [&loop]() -> eager<bool> {
        co_await loop.after(1ms);
        co_return false;
      },
      loop.sleep());
  EXPECT_EQ(heard.use_count(), 2) << "moved, and not copied";
  loop.run();
  EXPECT_FALSE(call.get());
  EXPECT_EQ(heard->retries.size(), 2U);
}

}  // namespace
}  // namespace coroutine_results_test
