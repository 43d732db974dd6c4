// SPDX-License-Identifier: BSL-1.0
// A stop request: when it may come, what it ends, what it leaves behind. Sleepers that are woken: sleepers.test.cpp.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>
#include <version>

#include <gtest/gtest.h>
#if defined(__cpp_lib_jthread)
#include <memory>
#include <stop_token>
#endif

#include "anew/anew.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"
#include "for_one_call.hpp"

namespace retry_stop_test {
namespace {

using anew::stop_reason;
using anew::testing::recording_sleeper;
using support::flag_stop;
using support::recorder;
using support::tracked;

/// Retries every error, and counts how often it is asked.
struct counting_classifier {
  using role = anew::roles::classifier;
  int* asked;
  template <class E>
  anew::directive classify(E const& /*e*/) const {
    ++*asked;
    return anew::directive::retry(anew::error_kind::transient);
  }
};

struct setup {
  int asked = 0;
  int calls = 0;
  flag_stop::state state;
  recorder::heard heard;
  flag_stop stop{state};

  auto strategy() {
    return anew::compose(counting_classifier{&asked}, anew::no_backoff{}, anew::max_attempts<5>{},
                         anew::token_bucket<100>{}, recorder{heard});
  }
};

TEST(RetryStop, LastResultIsKeptWholeForAStopInTheSleep) {
  using text = std::optional<std::string>;
  struct answer {
    std::string words;
    [[nodiscard]] bool has_value() const noexcept { return false; }
    [[nodiscard]] int error() const noexcept { return 1; }
  };
  setup t;
  recording_sleeper sleep{[&] { t.state.requested = t.calls == 2; }};
  auto const operation = [&] { return answer{std::string(100, static_cast<char>('a' + ++t.calls))}; };
  EXPECT_EQ(anew::retry(support::for_one_call(t.strategy()), operation, sleep, t.stop).words, std::string(100, 'c'));
  static_assert(
      std::is_same_v<decltype(anew::retry(support::for_one_call(t.strategy()), operation, sleep, t.stop)), answer>);
  EXPECT_EQ(anew::retry(
                support::for_one_call(t.strategy()), []() -> text { return std::nullopt; }, sleep, t.stop),
            std::nullopt);
}

TEST(RetryStop, SleeperThatTakesTheTokenIsGivenIt) {
  struct token_only {
    void operator()(anew::duration /*d*/, flag_stop const& stop) const {
      flag_stop::registration const registered{stop};
    }
  };
  struct woken : token_only {
    using token_only::operator();
    void operator()(anew::duration /*d*/) const { ADD_FAILURE() << "the one with the token is preferred"; }
  };
  setup t;
  EXPECT_FALSE(anew::retry(support::for_one_call(t.strategy()), [] { return false; }, woken{}, t.stop));
  EXPECT_EQ(t.state.ever_registered.load(), 4);
  EXPECT_EQ(t.state.registered.load(), 0) << "no registration outlives the call";
  EXPECT_FALSE(anew::retry(support::for_one_call(t.strategy()), [] { return false; }, token_only{}, t.stop));
  EXPECT_EQ(t.state.ever_registered.load(), 8);
}

TEST(RetryStop, TokenThatCanNeverStopKeepsNothing) {
  setup t;
  t.state.possible = false;
  tracked::reset();
  struct answer : tracked {
    using tracked::tracked;
    [[nodiscard]] bool has_value() const noexcept { return false; }
    [[nodiscard]] int error() const noexcept { return 1; }
  };
  recording_sleeper sleep{[] { EXPECT_EQ(tracked::alive, 0); }};
  EXPECT_EQ(
      anew::retry(support::for_one_call(t.strategy()), [&] { return answer{++t.calls}; }, sleep, t.stop).value, 5);
  EXPECT_EQ(sleep.delays.size(), 4U);
}

TEST(RetryStop, AttemptTellsOfTheRequest) {
  setup t;
  std::vector<bool> seen;
  auto const operation = [&](anew::attempt& a) {
    seen.push_back(a.stop_requested());
    if (a.number() == 2) t.state.requested = true;
    seen.push_back(a.stop_requested());
    return false;
  };
  EXPECT_FALSE(anew::retry(support::for_one_call(t.strategy()), operation, t.stop));
  EXPECT_EQ(seen, (std::vector<bool>{false, false, false, true}));
  seen.clear();
  EXPECT_FALSE(anew::retry(support::for_one_call(t.strategy()), operation));
  EXPECT_EQ(seen, std::vector<bool>(10, false)) << "a call without a token is never stopped";
}

#if ANEW_EXCEPTIONS
struct numbered {
  static inline int alive = 0;
  explicit numbered(int n) : number{n} { ++alive; }
  numbered(numbered const& other) : number{other.number} { ++alive; }
  numbered& operator=(numbered const&) = delete;
  ~numbered() { --alive; }
  int number;
};

TEST(RetryStop, LastExceptionIsKeptForAStopInTheSleep) {
  for (int when = 1; when <= 4; ++when) {
    setup t;
    auto const strategy = t.strategy();
    void const* thrown = nullptr;
    int sleeps = 0;
    recording_sleeper sleep{[&] {
      EXPECT_EQ(numbered::alive, 1);
      t.state.requested = ++sleeps == when;
    }};
    auto const operation = [&]() -> unsigned {
      try {
        throw numbered{++t.calls};
      } catch (numbered const& e) {
        thrown = &e;
        throw;
      }
    };
    try {
      anew::retry(strategy, operation, sleep, t.stop);
      ADD_FAILURE() << "nothing was thrown";
    } catch (numbered const& e) {
      EXPECT_EQ(e.number, when);
      EXPECT_EQ(&e, thrown) << "the same object";
    }
    EXPECT_EQ(numbered::alive, 0);
    EXPECT_EQ(t.calls, when);
    EXPECT_EQ(strategy.quota().balance(), 100U - 14U * static_cast<unsigned>(when - 1));

    t.calls = 0;
    sleeps = 0;
    t.state.requested = false;
    auto told = anew::retry_outcome(support::for_one_call(t.strategy()), operation, sleep, t.stop);
    EXPECT_EQ(told.reason(), stop_reason::cancelled);
    EXPECT_EQ(told.attempts(), static_cast<std::uint32_t>(when));
    EXPECT_FALSE(told.has_result());
    EXPECT_THROW(static_cast<void>(told.result()), numbered);
  }
  EXPECT_EQ(numbered::alive, 0);
}

TEST(RetryStop, RegistrationEndsWhenTheSleeperThrows) {
  struct woken {
    void operator()(anew::duration /*d*/, flag_stop const& stop) const {
      flag_stop::registration const registered{stop};
      throw numbered{1};
    }
  };
  setup t;
  EXPECT_THROW((void)anew::retry(support::for_one_call(t.strategy()), [] { return false; }, woken{}, t.stop), numbered);
  EXPECT_EQ(t.state.registered.load(), 0);
  EXPECT_EQ(numbered::alive, 0);
}
#endif

#if defined(__cpp_lib_jthread)
TEST(RetryStop, StandardTokenReachesTheOperation) {
  std::stop_source source;
  bool same = false;
  EXPECT_TRUE(anew::retry(
      anew::never{}, [&](anew::attempt& a) { return same = a.stop_token() == source.get_token(), true; },
      source.get_token()));
  EXPECT_TRUE(same);
  EXPECT_TRUE(anew::retry(anew::never{}, [&](anew::attempt& a) { return !a.stop_token().stop_possible(); }));
  flag_stop::state state;
  state.registered = 7;  // so that its memory, read as the state of a std::stop_token, would be one that may stop
  EXPECT_TRUE(anew::retry(
      anew::never{}, [&](anew::attempt& a) { return !a.stop_token().stop_possible(); }, flag_stop{state}))
      << "a token of another type is no std::stop_token";
}

TEST(RetryStop, ThreadAsleepForAnHourIsWoken) {
  using namespace std::chrono_literals;
  using slow = anew::strategy<anew::retry_all, anew::constant_backoff<1h>, anew::no_jitter, anew::token_bucket<100>>;
  slow const strategy;
  std::stop_source source;
  std::jthread stopper;
  int calls = 0;
  auto told = anew::retry_outcome(
      strategy,
      [&] {
        ++calls;
        stopper = std::jthread{[&source] { source.request_stop(); }};
        return std::make_error_code(std::errc::timed_out);
      },
      source.get_token());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(told.reason(), stop_reason::cancelled);
  EXPECT_EQ(told.result(), std::make_error_code(std::errc::timed_out));
  EXPECT_EQ(strategy.quota().balance(), 100U);
}

TEST(RetryStop, NoCallbackOutlivesTheCall) {
  // The call's stack is gone when the stop comes: a callback that is still registered would use it.
  using namespace std::chrono_literals;
  auto source = std::make_unique<std::stop_source>();
  using brief = anew::strategy<anew::retry_all, anew::constant_backoff<1us>, anew::no_jitter, anew::max_attempts<4>>;
  EXPECT_FALSE(anew::retry(brief{}, [] { return false; }, source->get_token()));
  auto const copy = source->get_token();
  source->request_stop();
  EXPECT_TRUE(copy.stop_requested());
  source.reset();

  // And the source may go while the call still sleeps.
  source = std::make_unique<std::stop_source>();
  EXPECT_FALSE(anew::retry(brief{}, [&] { return source.reset(), false; }, source->get_token()));
}

#endif

}  // namespace
}  // namespace retry_stop_test
