// SPDX-License-Identifier: BSL-1.0
// What a polling call tells of failures, and to whom: not ready is none.
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/drivers/retry.hpp"
#include "anew/policies/backoff/constant.hpp"
#include "anew/policies/backoff/counted_by_kind.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/history/history.hpp"
#include "anew/policies/jitter/no_jitter.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/poll.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"
#include "anew/strategy/strategy.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"
#include "names.hpp"
#include "stories/play.hpp"

namespace poll_failures_test {
namespace {

using anew::acceptors;

enum class status { pending, ready, throttled };
constexpr auto is_ready = [](status s) { return s == status::ready; };
constexpr auto is_throttled = [](status s) { return s == status::throttled; };

template <class R>
struct script {
  std::vector<R> answers;
  unsigned calls = 0;
  R operator()() { return answers[calls < answers.size() ? calls++ : (calls++, answers.size() - 1)]; }
};

template <class... More>
using patient =
    anew::strategy<anew::constant_backoff<1s>, anew::no_jitter, anew::max_attempts<9>, anew::retry_all, More...>;

TEST(PollQuota, NotReadyNeedsNoBalance) {
  recording_sleeper sleep;
  patient<anew::token_bucket<0>> const strategy;  // pays for no retry
  auto const told = anew::poll(strategy, [] { return status::pending; }, anew::success_when(is_ready), sleep);
  EXPECT_EQ(told.reason(), stop_reason::attempts);
  EXPECT_EQ(told.attempts(), 9U);
}

TEST(PollQuota, FailedRequestsPay) {
  recording_sleeper sleep;
  patient<anew::token_bucket<30>> const strategy;
  auto const accept = acceptors{anew::success_when(is_ready), anew::retry_when(is_throttled, error_kind::throttling)};
  auto const told = anew::poll(strategy, [] { return status::throttled; }, accept, sleep);
  EXPECT_EQ(told.reason(), stop_reason::quota);
  EXPECT_EQ(told.result(), status::throttled);
  EXPECT_LT(strategy.quota().balance(), 5U);
  EXPECT_EQ(told.attempts(), 7U);  // five units for a throttled retry
}

TEST(PollGate, NotReadyOpensNoCircuit) {
  anew::testing::manual_clock const clock;
  anew::testing::advancing_sleeper sleep{clock};
  auto const strategy = anew::compose(anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::max_attempts<9>{},
                                      anew::retry_all{}, anew::circuit_breaker<3, 30s>{}, clock);
  auto const accept = acceptors{anew::success_when(is_ready), anew::retry_when(is_throttled, error_kind::throttling)};
  EXPECT_EQ(anew::poll(strategy, [] { return status::pending; }, accept, sleep).attempts(), 9U);
  EXPECT_EQ(strategy.gate().state(), anew::breaker_state::closed);
  auto const told = anew::poll(strategy, [] { return status::throttled; }, accept, sleep);
  EXPECT_EQ(told.reason(), stop_reason::gate_closed);
  EXPECT_EQ(told.attempts(), 3U);
  EXPECT_EQ(told.result(), status::throttled);
  EXPECT_EQ(strategy.gate().state(), anew::breaker_state::open);

  script<status> op{{status::ready}};
  auto const refused = anew::poll(strategy, op, accept, sleep);
  EXPECT_EQ(refused.reason(), stop_reason::gate_closed);
  EXPECT_EQ(refused.attempts(), 0U);
  EXPECT_EQ(op.calls, 0U);
  EXPECT_FALSE(refused.has_result());
}

TEST(PollPacer, IsAskedBeforeEachLookAndToldOfFailuresAlone) {
  namespace s = support::stories;
  s::story const told{"", s::in::gated, {}, "ok", ""};
  s::world w{told};
  auto const strategy = anew::compose(anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::max_attempts<9>{},
                                      anew::retry_all{}, w.clock, s::pacer{w}, s::quota{w}, s::tells{&w});
  script<status> op{{status::pending, status::throttled, status::pending, status::ready}};
  auto const accept = acceptors{anew::success_when(is_ready), anew::retry_when(is_throttled, error_kind::throttling)};
  EXPECT_TRUE(anew::poll(strategy, op, accept, s::story_sleep{&w}).succeeded());
  EXPECT_EQ(w.books(),
            "pace 0 @0; sent @0; told 1; next 2 server in 1000; sleep; "
            "pace 0 @1000; not sent throttling @1000; take 1; told 2; next 3 throttling in 1000; sleep; "
            "pace 0 @2000; paid 1; sent @2000; told 3; next 4 server in 1000; sleep; "
            "pace 0 @3000; paid 0; sent @3000; told 4 good; end succeeded 4");
}

TEST(PollHint, AnErrorThatSaysHowLongIsBelieved) {
  struct busy {
    [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
    [[nodiscard]] static bool is_throttle() { return true; }
    [[nodiscard]] static std::optional<anew::duration> retry_after() { return 4500ms; }
  };
  using by_kind =
      anew::strategy<anew::counted_by_kind_backoff<anew::for_kind<error_kind::throttling, anew::constant_backoff<4s>>,
                                                   anew::constant_backoff<5s>>,
                     anew::no_jitter, anew::max_attempts<3>, anew::retry_all>;
#if ANEW_EXCEPTIONS
  recording_sleeper sleep;
  recording_sleeper other;
  auto const op = []() -> int { throw busy{}; };
  // The kind and the hint are the error's: 4.5 s, above the 4 s of a throttled retry.
  (void)anew::poll(by_kind{}, op, acceptors{anew::success_on_result(), anew::retry_on_error<busy>()}, sleep);
  EXPECT_EQ(sleep.delays, (std::vector<anew::duration>{4500ms, 4500ms}));
  // The kind that was said wins, the hint stays.
  (void)anew::poll(
      by_kind{}, op,
      acceptors{anew::success_on_result(), anew::retry_on_error([](busy const&) { return true; }, error_kind::timeout)},
      other);
  EXPECT_EQ(other.delays, (std::vector<anew::duration>{5s, 5s}));
#endif
}

/// An acceptor of a user's own: an answer that says when to come again.
struct come_again {
  static constexpr bool can_succeed = false;
  [[nodiscard]] static std::optional<anew::directive> on_result(status s) {
    if (s != status::pending) return std::nullopt;
    return anew::directive::retry(error_kind::server, 1500ms);
  }
};

TEST(PollHint, AnAnswerMaySayWhenToComeAgain) {
  recording_sleeper sleep;
  using roomy = anew::strategy<anew::exponential_backoff<1s, 8s>, anew::no_jitter, anew::max_attempts<3>,
                               anew::retry_all, anew::token_bucket<100>>;
  roomy const strategy;
  auto const told = anew::poll(
      strategy, [] { return status::pending; }, acceptors{come_again{}, anew::success_when(is_ready)}, sleep);
  EXPECT_EQ(told.attempts(), 3U);
  EXPECT_EQ(sleep.delays, (std::vector<anew::duration>{1500ms, 2s}));
  EXPECT_EQ(strategy.quota().balance(), 100U);
}

TEST(PollNested, TheRequestMayRetryByItself) {
  recording_sleeper sleep;
  recording_sleeper inner_sleep;
  patient<anew::token_bucket<100>, anew::nesting_guard<>, anew::history<4>> const api;
  int calls = 0;
  auto const request = [&] {
    return anew::retry(
        anew::with<anew::strategy<anew::constant_backoff<1s>, anew::no_jitter, anew::nesting_guard<>>,
                   anew::retry_all>{},
        [&] { return ++calls % 2 == 0; }, inner_sleep);  // fails every other time
  };
  int looks = 0;
  auto const told = anew::poll(
      api, [&] { return request() && ++looks == 3; }, anew::success_when([](bool done) { return done; }), sleep);
  EXPECT_TRUE(told.succeeded());
  EXPECT_EQ(told.attempts(), 3U);
  EXPECT_EQ(calls, 6);
  EXPECT_EQ(inner_sleep.delays.size(), 3U);
}

/// A strategy that is not composed.
struct own_strategy {
  struct token_type {
    unsigned made = 1;
    [[nodiscard]] static anew::duration delay() { return 7ms; }
  };
  [[nodiscard]] static token_type acquire_initial_token() { return {}; }
  [[nodiscard]] static anew::refreshed<token_type> refresh_retry_token(token_type&& t, anew::failure const& f) {
    if (f.safety == anew::retry_safety::no) return stop_reason::not_retryable;
    if (t.made == 3) return stop_reason::attempts;
    return token_type{t.made + 1};
  }
  static void record_success(token_type&&) {}
};
static_assert(anew::RetryStrategy<own_strategy>);

TEST(PollOwnStrategy, OfThreeFunctions) {
  recording_sleeper sleep;
  script<status> op{{status::pending, status::ready}};
  EXPECT_TRUE(anew::poll(own_strategy{}, op, anew::success_when(is_ready), sleep).succeeded());
  auto const told = anew::poll(own_strategy{}, [] { return status::pending; }, anew::success_when(is_ready), sleep);
  EXPECT_EQ(told.reason(), stop_reason::attempts);
  EXPECT_EQ(told.attempts(), 3U);
}

TEST(PollBehindTheInterface, ALimitOfALookThatNothingHearsIsRefused) {
  anew::virtual_strategy<anew::strategy<anew::retry_all, anew::attempt_timeout<1s>>> const limited;
  recording_sleeper sleep;
  auto const done = anew::success_when([](bool is_done) { return is_done; });
  EXPECT_THROW((void)anew::poll(anew::strategy_view{limited}, [] { return true; }, done, sleep), std::invalid_argument);
  EXPECT_TRUE(anew::poll(
                  anew::strategy_view{limited}, [](anew::attempt& look) { return look.limit() == 1s; }, done, sleep)
                  .succeeded());
}

}  // namespace
}  // namespace poll_failures_test
