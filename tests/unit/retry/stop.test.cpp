// SPDX-License-Identifier: BSL-1.0
// A stop request: when it may come, what it ends, what it leaves behind. Sleepers that are woken: sleepers.test.cpp.
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>
#include <version>

#include <gtest/gtest.h>
#if defined(__cpp_lib_jthread)
#include <memory>
#include <stop_token>
#endif

#include "anew/anew.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "for_one_call.hpp"
#include "names.hpp"

namespace retry_stop_test {
namespace {

using support::flag_stop;

/// Four retries of whatever fails, and a stop that may be requested.
struct setup {
  anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<5>> strategy{};
  flag_stop::state state;
  flag_stop stop{state};
};

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
  EXPECT_FALSE(anew::retry(t.strategy, [] { return false; }, woken{}, t.stop));
  EXPECT_EQ(t.state.ever_registered.load(), 4);
  EXPECT_EQ(t.state.registered.load(), 0) << "no registration outlives the call";
  EXPECT_FALSE(anew::retry(t.strategy, [] { return false; }, token_only{}, t.stop));
  EXPECT_EQ(t.state.ever_registered.load(), 8);
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
  EXPECT_FALSE(anew::retry(t.strategy, operation, t.stop));
  EXPECT_EQ(seen, (std::vector<bool>{false, false, false, true}));
  seen.clear();
  EXPECT_FALSE(anew::retry(t.strategy, operation));
  EXPECT_EQ(seen, std::vector<bool>(10, false)) << "a call without a token is never stopped";
}

#if ANEW_EXCEPTIONS

TEST(RetryStop, RegistrationEndsWhenTheSleeperThrows) {
  struct woken {
    void operator()(anew::duration /*d*/, flag_stop const& stop) const {
      flag_stop::registration const registered{stop};
      throw 1;
    }
  };
  setup t;
  EXPECT_THROW((void)anew::retry(t.strategy, [] { return false; }, woken{}, t.stop), int);
  EXPECT_EQ(t.state.registered.load(), 0);
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

TEST(RetryStop, NoCallbackOutlivesTheCall) {
  // The call's stack is gone when the stop comes: a callback that is still registered would use it.
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
