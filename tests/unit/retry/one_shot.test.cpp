// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/retry_on.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace retry_one_shot_test {
namespace {

using anew::one_shot;

using any_error = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;

/// Gives away what it holds, so it is callable as an rvalue only.
template <bool WithAttempt>
struct gives_itself_away {
  std::string body;
  std::vector<std::string>* sent;
  bool operator()() &&
      requires(!WithAttempt) {
        sent->push_back(std::move(body));
        return false;
      } bool operator()(anew::attempt& /*self*/) &&
        requires WithAttempt
  {
    return sent->push_back(std::move(body)), false;
  }
};
static_assert(!anew::Operation<gives_itself_away<true>> && !anew::Operation<gives_itself_away<false>>);

TEST(OneShot, CallsAnOperationThatGivesItselfAway) {
  std::vector<std::string> sent;
  auto const reason = [](auto const& outcome) { return outcome.reason(); };
  EXPECT_EQ(reason(anew::retry_outcome(any_error{}, one_shot(gives_itself_away<false>{"plain", &sent}))),
            stop_reason::not_replayable);
  EXPECT_EQ(reason(anew::retry_outcome(any_error{}, one_shot(gives_itself_away<true>{"told", &sent}))),
            stop_reason::not_replayable);
  EXPECT_EQ(reason(anew::retry_outcome(any_error{},
                                       anew::idempotent(one_shot(gives_itself_away<false>{"declared twice", &sent})))),
            stop_reason::not_replayable);
  EXPECT_EQ(sent, (std::vector<std::string>{"plain", "told", "declared twice"}));
}

/// A result that knows that its attempt has used up what it sends.
struct used_up {
  bool input_is_left = false;
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] used_up const& error() const { return *this; }
  [[nodiscard]] bool is_replayable() const { return input_is_left; }
};

TEST(OneShot, AResultThatSaysSoEndsTheCall) {
  int calls = 0;
  auto const send = [&] { return used_up{++calls < 2}; };
  auto const outcome = anew::retry_outcome(any_error{}, send, no_sleep);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(outcome.reason(), stop_reason::not_replayable);
  calls = 0;
  EXPECT_EQ(anew::retry_outcome(any_error{}, anew::rewinding(send, [] {})).reason(), stop_reason::attempts);
  EXPECT_EQ(calls, 3);
}

#if ANEW_EXCEPTIONS
TEST(OneShot, AnExceptionThatSaysSoEndsTheCall) {
  int calls = 0;
  auto const send = [&] { return ++calls, throw used_up{}; };
  using strategy = anew::with<any_error, anew::any_of<anew::retry_all, anew::retry_on<used_up>>>;
  EXPECT_THROW((void)anew::retry(strategy{}, send), used_up);
  EXPECT_EQ(calls, 1);
}
#endif

TEST(OneShot, WinsOverIdempotentInEitherOrder) {
  int calls = 0;
  auto const fails = [&] { return ++calls, false; };
  (void)anew::retry(any_error{}, anew::idempotent(one_shot(fails)));
  EXPECT_EQ(calls, 1);
  (void)anew::retry(any_error{}, one_shot(anew::idempotent(fails)));
  EXPECT_EQ(calls, 2);
  auto const named = one_shot(fails);
  EXPECT_EQ(anew::retry_outcome(any_error{}, named).reason(), stop_reason::not_replayable);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace retry_one_shot_test
