// SPDX-License-Identifier: BSL-1.0
// What a polling call tells of failures, and to whom: not ready is none.
#include <chrono>
#include <optional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "anew/drivers/retry.hpp"
#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/backoff/constant.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/history/history.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/poll.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"
#include "anew/strategy/strategy.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "names.hpp"
#include "poll_support.hpp"
#include "rejection.hpp"
#include "stories/play.hpp"

namespace poll_failures_test {
namespace {

using namespace anew;

enum class status { pending, ready, throttled };
constexpr auto is_ready = [](status s) { return s == status::ready; };
constexpr auto is_throttled = [](status s) { return s == status::throttled; };

template <class R>
using script = support::replay<R>;

template <class... More>
using patient = strategy<constant_backoff<1s>, no_jitter, max_attempts<9>, retry_all, More...>;

TEST(PollQuota, FailedRequestsPay) {
  patient<token_bucket<30>> const strategy;
  auto const accept = acceptors{success_when(is_ready), retry_when(is_throttled, error_kind::throttling)};
  auto const told = poll(strategy, [] { return status::throttled; }, accept, no_sleep);
  EXPECT_EQ(told.reason(), stop_reason::quota);
  EXPECT_EQ(told.result(), status::throttled);
  EXPECT_LT(strategy.quota().balance(), 5U);
  EXPECT_EQ(told.attempts(), 7U);  // five units for a throttled retry
}

TEST(PollGate, AFailedRequestOfEachKindOpensACircuit) {
  for (auto const kind : {error_kind::transient, error_kind::throttling, error_kind::timeout}) {
    auto const strategy = compose(constant_backoff<1s>{}, no_jitter{}, max_attempts<9>{}, circuit_breaker<3, 30s>{});
    auto const told = poll(
        strategy, [] { return status::throttled; }, acceptors{success_when(is_ready), retry_when(is_throttled, kind)},
        no_sleep);
    EXPECT_EQ(told.attempts(), 3U) << to_string(kind);
  }
  EXPECT_REJECTED(retry_when(is_throttled, error_kind::server),
                  "anew::retry_when: kind must be transient, throttling, timeout or client, because server means not "
                  "ready, but is server");
}

TEST(PollGate, NotReadyOpensNoCircuit) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  auto const strategy =
      compose(constant_backoff<1s>{}, no_jitter{}, max_attempts<9>{}, retry_all{}, circuit_breaker<3, 30s>{}, clock);
  auto const accept = acceptors{success_when(is_ready), retry_when(is_throttled, error_kind::throttling)};
  EXPECT_EQ(poll(strategy, [] { return status::pending; }, accept, sleep).attempts(), 9U);
  EXPECT_EQ(strategy.gate().state(), breaker_state::closed);
  auto const told = poll(strategy, [] { return status::throttled; }, accept, sleep);
  EXPECT_EQ(told.reason(), stop_reason::gate_closed);
  EXPECT_EQ(told.attempts(), 3U);
  EXPECT_EQ(told.result(), status::throttled);
  EXPECT_EQ(strategy.gate().state(), breaker_state::open);

  script<status> op{{status::ready}};
  auto const refused = poll(strategy, op, accept, sleep);
  EXPECT_EQ(refused.reason(), stop_reason::gate_closed);
  EXPECT_EQ(refused.attempts(), 0U);
  EXPECT_EQ(op.calls, 0U);
  EXPECT_FALSE(refused.has_result());
}

TEST(PollPacer, IsAskedBeforeEachLookAndToldOfFailuresAlone) {
  namespace s = support::stories;
  s::story const told{"", s::in::gated, {}, "ok", ""};
  s::world w{told};
  auto const strategy = compose(constant_backoff<1s>{}, no_jitter{}, max_attempts<9>{}, retry_all{}, w.clock,
                                s::pacer{w}, s::quota{w}, s::tells{&w});
  script<status> op{{status::pending, status::throttled, status::pending, status::ready}};
  auto const accept = acceptors{success_when(is_ready), retry_when(is_throttled, error_kind::throttling)};
  EXPECT_TRUE(poll(strategy, op, accept, s::story_sleep{&w}).succeeded());
  EXPECT_EQ(w.books(),
            "pace 0 @0; sent @0; told 1; next 2 server in 1000; sleep; "
            "pace 0 @1000; not sent throttling @1000; take 1; told 2; next 3 throttling in 1000; sleep; "
            "pace 0 @2000; paid 1; sent @2000; told 3; next 4 server in 1000; sleep; "
            "pace 0 @3000; paid 0; sent @3000; told 4 good; end succeeded 4");
}

TEST(PollHint, AnErrorThatSaysHowLongIsBelieved) {
  struct busy {
    [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::yes; }
    [[nodiscard]] static bool is_throttle() { return true; }
    [[nodiscard]] static std::optional<duration> retry_after() { return 4500ms; }
  };
  using by_kind =
      strategy<counted_by_kind_backoff<for_kind<error_kind::throttling, constant_backoff<4s>>, constant_backoff<5s>>,
               no_jitter, max_attempts<3>, retry_all>;
#if ANEW_EXCEPTIONS
  recording_sleeper sleep;
  recording_sleeper other;
  auto const op = []() -> int { throw busy{}; };
  // The kind and the hint are the error's: 4.5 s, above the 4 s of a throttled retry.
  (void)poll(by_kind{}, op, acceptors{success_on_result(), retry_on_error<busy>()}, sleep);
  EXPECT_EQ(sleep.delays, (std::vector<duration>{4500ms, 4500ms}));
  // The kind that was said wins, the hint stays.
  (void)poll(by_kind{}, op,
             acceptors{success_on_result(), retry_on_error([](busy const&) { return true; }, error_kind::timeout)},
             other);
  EXPECT_EQ(other.delays, (std::vector<duration>{5s, 5s}));
#endif
}

/// An acceptor of a user's own: an answer that says when to come again.
struct come_again {
  static constexpr bool can_succeed = false;
  [[nodiscard]] static std::optional<directive> on_result(status s) {
    if (s != status::pending) return std::nullopt;
    return directive::retry(error_kind::server, 1500ms);
  }
};

TEST(PollHint, AnAnswerMaySayWhenToComeAgain) {
  recording_sleeper sleep;
  using roomy = strategy<exponential_backoff<1s, 8s>, no_jitter, max_attempts<3>, retry_all, token_bucket<100>>;
  roomy const strategy;
  auto const told =
      poll(strategy, [] { return status::pending; }, acceptors{come_again{}, success_when(is_ready)}, sleep);
  EXPECT_EQ(told.attempts(), 3U);
  EXPECT_EQ(sleep.delays, (std::vector<duration>{1500ms, 2s}));
  EXPECT_EQ(strategy.quota().balance(), 100U);
}

TEST(PollNested, TheRequestMayRetryByItself) {
  recording_sleeper inner_sleep;
  patient<token_bucket<100>, nesting_guard<>, history<4>> const api;
  int calls = 0;
  auto const request = [&] {
    return retry(
        with<strategy<constant_backoff<1s>, no_jitter, nesting_guard<>>, retry_all>{}, [&] { return ++calls % 2 == 0; },
        inner_sleep);  // fails every other time
  };
  int looks = 0;
  auto const told =
      poll(api, [&] { return request() && ++looks == 3; }, success_when([](bool done) { return done; }), no_sleep);
  EXPECT_TRUE(told.succeeded());
  EXPECT_EQ(told.attempts(), 3U);
  EXPECT_EQ(calls, 6);
  EXPECT_EQ(inner_sleep.delays.size(), 3U);
}

/// A strategy that is not composed.
struct own_strategy {
  struct token_type {
    unsigned made = 1;
    [[nodiscard]] static duration delay() { return 7ms; }
  };
  [[nodiscard]] static token_type acquire_initial_token() { return {}; }
  [[nodiscard]] static refreshed<token_type> refresh_retry_token(token_type&& t, failure const& f) {
    if (f.safety == retry_safety::no) return stop_reason::not_retryable;
    if (t.made == 3) return stop_reason::attempts;
    return token_type{t.made + 1};
  }
  static void record_success(token_type&&) {}
};
static_assert(RetryStrategy<own_strategy>);

TEST(PollOwnStrategy, OfThreeFunctions) {
  script<status> op{{status::pending, status::ready}};
  EXPECT_TRUE(poll(own_strategy{}, op, success_when(is_ready), no_sleep).succeeded());
  auto const told = poll(own_strategy{}, [] { return status::pending; }, success_when(is_ready), no_sleep);
  EXPECT_EQ(told.reason(), stop_reason::attempts);
  EXPECT_EQ(told.attempts(), 3U);
}

TEST(PollBehindTheInterface, ALimitOfALookThatNothingHearsIsRefused) {
  virtual_strategy<strategy<retry_all, attempt_timeout<1s>>> const limited;
  auto const done = success_when([](bool is_done) { return is_done; });
  EXPECT_THROW((void)poll(strategy_view{limited}, [] { return true; }, done, no_sleep), std::invalid_argument);
  EXPECT_TRUE(
      poll(strategy_view{limited}, [](attempt& look) { return look.limit() == 1s; }, done, no_sleep).succeeded());
}

}  // namespace
}  // namespace poll_failures_test
