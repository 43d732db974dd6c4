// SPDX-License-Identifier: BSL-1.0
// How an awaited call is ended from outside: by a stop token, by a cancelled operation or sleep, by a gate.
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <vector>
#include <version>

#include <gtest/gtest.h>
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"
#include "anew/testing/manual_clock.hpp"

#include "asio_codes.hpp"
#include "coroutine_support.hpp"
#include "driver_support.hpp"
#include "names.hpp"

namespace coroutine_cancellation_test {
namespace {

using support::eager, support::flag_stop, support::manual_loop, support::no_sleep, support::recorder, support::tracked;

/// A task of a library that tells of cancellation by an exception of its own.
struct other_library {};
template <class T>
using other_task = eager<T, other_library>;
struct other_error : std::runtime_error {
  explicit other_error(std::errc e) : std::runtime_error{"other"}, error{std::make_error_code(e)} {}
  [[nodiscard]] std::error_code code() const noexcept { return error; }
  std::error_code error;
};

}  // namespace
}  // namespace coroutine_cancellation_test

template <class T>
struct anew::cancelled_by<support::eager<T, coroutine_cancellation_test::other_library>> {
  using type = anew::catch_list<coroutine_cancellation_test::other_error>;
};

namespace coroutine_cancellation_test {
namespace {

struct setup {
  flag_stop::state state{};
  recorder::heard heard{};
  flag_stop stop{state};
  manual_clock clock{};
  manual_loop loop{clock};
  int calls = 0;

  auto strategy() {
    return anew::compose(anew::retry_all{}, anew::constant_backoff<10ms>{}, anew::no_jitter{}, anew::max_attempts<5>{},
                         anew::token_bucket<100>{}, recorder{heard}, clock);
  }
};

/// An answer with an error, counted, so that one can see how long it is kept.
struct answer : tracked {
  using tracked::tracked;
  [[nodiscard]] bool has_value() const noexcept { return false; }
  [[nodiscard]] int error() const noexcept { return value; }
};

TEST(CoroutineStop, ASleepThatTakesTheTokenIsPreferred) {
  struct woken {
    setup* t;
    std::vector<anew::duration>* delays;
    manual_loop::timer operator()(anew::duration delay) const {
      ADD_FAILURE() << "the one with the token is preferred";
      return t->loop.after(delay);
    }
    eager<> operator()(anew::duration delay, flag_stop const& stop) const {
      flag_stop::registration const registered{stop};
      delays->push_back(delay);
      co_await t->loop.after(delay);
    }
  };
  setup t;
  std::vector<anew::duration> delays;
  auto call = anew::retry(t.strategy(), []() -> eager<bool> { co_return false; }, woken{&t, &delays}, t.stop);
  t.loop.run();
  EXPECT_FALSE(call.get());
  EXPECT_EQ(delays, std::vector<anew::duration>(4, 10ms));
  EXPECT_EQ(t.state.ever_registered.load(), 4);
  EXPECT_EQ(t.state.registered.load(), 0);
}

TEST(CoroutineStop, TheLastFailureIsKeptOnlyForATokenThatMayStop) {
  for (bool const possible : {false, true}) {
    setup t;
    t.state.possible = possible;
    tracked::reset();
    {
      auto call =
          anew::retry(t.strategy(), [&]() -> eager<answer> { co_return answer{++t.calls}; }, t.loop.sleep(), t.stop);
      for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(tracked::alive, possible ? 1 : 0);
        t.loop.step();
      }
      EXPECT_EQ(call.get().value, 5);
    }
    EXPECT_EQ(tracked::alive, 0);
    EXPECT_EQ(tracked::copies, 0);
  }
}

#if defined(__cpp_lib_jthread)
TEST(CoroutineStop, TheStandardTokenReachesTheOperation) {
  std::stop_source source;
  auto call = anew::retry(
      anew::never{}, [&](anew::attempt& self) -> eager<bool> { co_return self.stop_token() == source.get_token(); },
      no_sleep, source.get_token());
  EXPECT_TRUE(call.get());
}
#endif

/// How many attempts a call makes whose operation fails in this way.
template <class Task, class S>
int calls_after(S const& strategy, auto const& error) {
  int calls = 0;
  auto call = anew::retry(strategy, anew::throws_only([&]() -> Task {
                            ++calls;
                            throw error;
                            co_return 1;
                          }),
                          no_sleep);
  EXPECT_THROW((void)call.get(), std::runtime_error);
  return calls;
}

TEST(CoroutineCancelled, ByWhatTheOperationThrows) {
  anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>> const all;
  auto const of_code = [&](std::error_code code) { return calls_after<eager<int>>(all, std::system_error{code}); };
  EXPECT_EQ(of_code(std::make_error_code(std::errc::timed_out)), 3);
  EXPECT_EQ(of_code(std::make_error_code(std::errc::operation_canceled)), 1);
  EXPECT_EQ(of_code({ECANCELED, std::system_category()}), 1);
  EXPECT_EQ(of_code(support::unmapped_asio_code(std::errc::operation_canceled)), 1);
  // An exception that the classifier names, or the task's library throws.
  anew::strategy<anew::retry_on<std::logic_error, other_error>, anew::no_backoff, anew::max_attempts<3>> const named;
  for (auto const& [code, calls] : {std::pair{std::errc::timed_out, 3}, std::pair{std::errc::operation_canceled, 1}}) {
    EXPECT_EQ(calls_after<eager<int>>(named, other_error{code}), calls);
    EXPECT_EQ(calls_after<other_task<int>>(all, other_error{code}), calls);
  }
}

TEST(CoroutineCancelled, InEveryWait) {
  for (int when = 1; when <= 4; ++when) {
    setup t;
    auto const strategy = t.strategy();
    auto call = anew::retry(
        strategy,
        [&]() -> eager<bool> {
          ++t.calls;
          co_return false;
        },
        t.loop.sleep());
    for (int i = 1; i < when; ++i) t.loop.step();
    t.loop.cancel();
    ASSERT_TRUE(call.done());
    EXPECT_THROW((void)call.get(), std::system_error) << "what the sleep throws goes out";
    EXPECT_EQ(t.calls, when);
    EXPECT_EQ(strategy.quota().balance(), 100U - 14U * static_cast<unsigned>(when - 1));
  }
}

}  // namespace
}  // namespace coroutine_cancellation_test
