// SPDX-License-Identifier: BSL-1.0
// Each function of the machine by itself, and what it does where the blocking loop has nothing to compare with: a call
// that is given up, stopped before it began, or driven by a timer that comes too late.
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/attempt_timeout/attempt_timeout.hpp"
#include "anew/attempt_timeout/attempt_timeout_share.hpp"
#include "anew/compose/choice.hpp"
#include "anew/drive/retry_machine.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/gate/cool_down.hpp"
#include "anew/quota/concurrency_budget.hpp"
#include "anew/quota/long_poll.hpp"
#include "anew/quota/retry_budget.hpp"
#include "anew/reset/reset_after.hpp"
#include "anew/testing/lowest_random.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/test_mode.hpp"
#include "anew/virtual.hpp"

#include "driver_support.hpp"

namespace anew::detail {
template <class T>
void one_of_the_details_of_a_machine(T const&) {}
}  // namespace anew::detail

namespace machine_retry_machine_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::duration;
using anew::error_kind;
using anew::failure;
using anew::next_step;
using anew::retry_machine;
using anew::retry_safety;
using anew::stop_reason;
using anew::testing::manual_clock;
using support::audited_quota;
using support::recorder;
using book = std::vector<std::string>;

// --- what it is

using plain = anew::strategy<anew::retry_all, anew::constant_backoff<1s>, anew::no_jitter, anew::max_attempts<3>>;
using with_bucket = anew::strategy<anew::retry_all, anew::token_bucket<500>, anew::max_attempts<3>>;
using with_all = anew::strategy<anew::retry_all, anew::token_bucket<500>, anew::max_attempts<3>, anew::deadline<10s>,
                                anew::circuit_breaker<5, 30s>>;

static_assert(sizeof(retry_machine<plain>) <= 64);
static_assert(sizeof(retry_machine<with_bucket>) <= 64);
static_assert(sizeof(retry_machine<with_bucket, anew::declared::idempotent>) == sizeof(retry_machine<with_bucket>));
static_assert(sizeof(retry_machine<with_all>) <= sizeof(with_all::token_type) + 48);

static_assert(!std::is_copy_constructible_v<retry_machine<plain>> && !std::is_copy_assignable_v<retry_machine<plain>>);
static_assert(std::is_nothrow_move_constructible_v<retry_machine<plain>>);
static_assert(std::is_nothrow_move_assignable_v<retry_machine<plain>>);
static_assert(std::is_constructible_v<retry_machine<plain>, plain const&>);
static_assert(std::is_constructible_v<retry_machine<plain>, plain&>);
static_assert(!std::is_constructible_v<retry_machine<plain>, plain>, "the strategy would be gone before the call");
static_assert(!std::is_constructible_v<retry_machine<plain>, plain const>);
static_assert(!std::is_convertible_v<plain const&, retry_machine<plain>>);

// A user's own begin(call) or step(call) finds none of ours.
template <class T>
concept FindsDetails = requires(T const& value) { one_of_the_details_of_a_machine(value); };
static_assert(!FindsDetails<retry_machine<plain>> && !FindsDetails<retry_machine<with_all>>);
static_assert(!FindsDetails<std::remove_const_t<decltype(anew::idempotent_call)>> && !FindsDetails<next_step>);
static_assert(FindsDetails<anew::detail::machine<plain>>);

// --- the loop

TEST(RetryMachine, SaysWhatToDoNext) {
  plain const strategy;
  retry_machine call{strategy};
  EXPECT_EQ(call.attempts(), 0U);
  EXPECT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.attempts(), 1U);
  EXPECT_EQ(call.on_outcome(false), next_step::wait);
  EXPECT_EQ(call.wait(), 1s);
  EXPECT_EQ(call.attempts(), 1U);
  EXPECT_EQ(call.on_wait_over(), next_step::attempt);
  EXPECT_EQ(call.attempts(), 2U);
  EXPECT_EQ(call.on_outcome(true), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::succeeded);
  EXPECT_EQ(call.attempts(), 2U);
}

TEST(RetryMachine, EndsWithTheLastPermittedAttempt) {
  plain const strategy;
  retry_machine call{strategy};
  auto step = call.begin();
  int waits = 0;
  while (step != next_step::finished) {
    waits += step == next_step::wait ? 1 : 0;
    step = step == next_step::attempt ? call.on_outcome(false) : call.on_wait_over();
  }
  EXPECT_EQ(waits, 2);
  EXPECT_EQ(call.reason(), stop_reason::attempts);
  EXPECT_EQ(call.attempts(), 3U);
}

TEST(RetryMachine, AWaitOfNothingIsAStepToo) {
  anew::strategy<anew::retry_all, anew::no_backoff> const strategy;
  retry_machine call{strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.on_outcome(false), next_step::wait);
  EXPECT_EQ(call.wait(), 0s);
}

// --- how an attempt ended

template <class Classifier>
using once_more = anew::strategy<Classifier, anew::constant_backoff<1s>, anew::no_jitter, anew::max_attempts<2>>;

template <class S, class Tell>
next_step first_failure(S const& strategy, Tell const& tell) {
  retry_machine call{strategy};
  EXPECT_EQ(call.begin(), next_step::attempt);
  return tell(call);
}

struct answer {
  int value = 0;
  int code = 0;
  [[nodiscard]] bool has_value() const noexcept { return code == 0; }
  [[nodiscard]] int error() const noexcept { return code; }
};
struct is_503 {
  bool operator()(int code) const noexcept { return code == 503; }
};

TEST(RetryMachine, ReadsResultsAsRetryDoes) {
  once_more<anew::retry_all> const all;
  auto const outcome = [](auto const& result) { return [&](auto& call) { return call.on_outcome(result); }; };
  EXPECT_EQ(first_failure(all, outcome(true)), next_step::finished);
  EXPECT_EQ(first_failure(all, outcome(false)), next_step::wait);
  EXPECT_EQ(first_failure(all, outcome(std::optional<int>{0})), next_step::finished);
  EXPECT_EQ(first_failure(all, outcome(std::optional<int>{})), next_step::wait);
  EXPECT_EQ(first_failure(all, outcome(std::error_code{})), next_step::finished);
  EXPECT_EQ(first_failure(all, outcome(std::make_error_code(std::errc::timed_out))), next_step::wait);
  EXPECT_EQ(first_failure(all, outcome(std::errc::timed_out)), next_step::wait);
  EXPECT_EQ(first_failure(all, outcome(answer{1, 0})), next_step::finished);
  EXPECT_EQ(first_failure(all, outcome(answer{0, 7})), next_step::wait);
  EXPECT_EQ(first_failure(all, outcome(std::string{"a plain value"})), next_step::finished);

  once_more<anew::retry_if<is_503>> const some;
  EXPECT_EQ(first_failure(some, outcome(answer{0, 503})), next_step::wait);
  EXPECT_EQ(first_failure(some, outcome(answer{0, 404})), next_step::finished);
  EXPECT_EQ(first_failure(some, [](auto& call) { return call.on_error(503); }), next_step::wait);
  EXPECT_EQ(first_failure(some, [](auto& call) { return call.on_error(404); }), next_step::finished);
  EXPECT_EQ(first_failure(some, [](auto& call) { return call.on_success(); }), next_step::finished);
}

/// Reads a plain value, and an error that is none.
struct reads_values {
  using role = anew::roles::classifier;
  [[nodiscard]] static directive classify_result(int value) {
    return value < 0 ? directive::retry(error_kind::server) : directive::succeed();
  }
  [[nodiscard]] static directive classify(std::string const& error) {
    return error == "already done" ? directive::succeed() : directive::fail();
  }
};

TEST(RetryMachine, ReadsPlainValuesAndErrorsThatAreNone) {
  once_more<reads_values> const strategy;
  EXPECT_EQ(first_failure(strategy, [](auto& call) { return call.on_outcome(-1); }), next_step::wait);
  EXPECT_EQ(first_failure(strategy, [](auto& call) { return call.on_outcome(1); }), next_step::finished);
  retry_machine call{strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.on_error(std::string{"already done"}), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::succeeded);
}

TEST(RetryMachine, TakesAVerdictAsItIs) {
  plain const strategy;
  retry_machine call{strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  ASSERT_EQ(call.on_verdict(directive::retry(error_kind::throttling)), next_step::wait);
  ASSERT_EQ(call.on_wait_over(), next_step::attempt);
  EXPECT_EQ(anew::attempt{call.current()}.previous_error(), error_kind::throttling);
  EXPECT_EQ(call.on_verdict(directive::fail()), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);

  retry_machine other{strategy};
  ASSERT_EQ(other.begin(), next_step::attempt);
  EXPECT_EQ(other.on_verdict(directive::succeed()), next_step::finished);
  EXPECT_EQ(other.reason(), stop_reason::succeeded);
}

#if ANEW_EXCEPTIONS
TEST(RetryMachine, ReadsExceptionsAsRetryDoes) {
  once_more<anew::retry_on<std::runtime_error>> const strategy;
  auto const thrown = [](auto error) {
    return [error](auto& call) { return call.on_exception(std::make_exception_ptr(error)); };
  };
  EXPECT_EQ(first_failure(strategy, thrown(std::range_error{"derived"})), next_step::wait);
  EXPECT_EQ(first_failure(strategy, thrown(std::logic_error{"another"})), next_step::finished);
  EXPECT_EQ(first_failure(strategy, thrown(1)), next_step::finished);
}

TEST(RetryMachine, AnExceptionIsNeverASuccess) {
  struct forgives {
    using role = anew::roles::classifier;
    using catches = anew::catch_list<int>;
    [[nodiscard]] directive classify(int) const { return directive::succeed(); }
  };
  once_more<forgives> const strategy;
  retry_machine call{strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.on_exception(std::make_exception_ptr(1)), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);
}
#endif

// --- attempt timeouts

TEST(RetryMachine, AnAttemptThatTookTooLongMayHaveTakenEffect) {
  once_more<anew::retry_if<is_503>> const strategy;  // which reads no error codes
  retry_machine call{strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.on_attempt_timeout(), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::not_idempotent);

  retry_machine again{strategy, anew::idempotent_call};
  ASSERT_EQ(again.begin(), next_step::attempt);
  ASSERT_EQ(again.on_attempt_timeout(), next_step::wait);
  ASSERT_EQ(again.on_wait_over(), next_step::attempt);
  EXPECT_EQ(again.current().previous, error_kind::timeout);
}

TEST(RetryMachine, AClassifierOfErrorCodesSaysWhatATimeoutIs) {
  struct final_when_late {
    using role = anew::roles::classifier;
    [[nodiscard]] static directive classify(std::error_code error) {
      return error == std::errc::timed_out ? directive::fail() : directive::retry(error_kind::transient);
    }
  };
  once_more<final_when_late> const strategy;
  retry_machine call{strategy, anew::idempotent_call};
  ASSERT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.on_attempt_timeout(), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);
}

TEST(RetryMachine, TellsTheLimitOfAnAttemptWhereOneIsComposed) {
  manual_clock const clock;
  auto const fixed = anew::compose(anew::retry_all{}, anew::deadline<10s>{}, anew::attempt_timeout<3s>{},
                                   anew::max_attempts<3>{}, clock);
  retry_machine call{fixed};
  ASSERT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.attempt_timeout(), 3s);
  EXPECT_EQ(anew::attempt{call.current()}.limit(), 3s);
  clock.advance(8s);
  EXPECT_EQ(call.attempt_timeout(), 2s);

  auto const half = anew::compose(anew::retry_all{}, anew::deadline<10s>{},
                                  anew::attempt_timeout_share<anew::rational{1, 2}>{}, anew::max_attempts<3>{}, clock);
  retry_machine shared{half};
  ASSERT_EQ(shared.begin(), next_step::attempt);
  EXPECT_EQ(shared.attempt_timeout(), 5s);

  // A deadline alone tells, and ends nothing.
  auto const none = anew::compose(anew::retry_all{}, anew::deadline<10s>{}, anew::max_attempts<3>{}, clock);
  retry_machine unlimited{none};
  ASSERT_EQ(unlimited.begin(), next_step::attempt);
  EXPECT_EQ(unlimited.attempt_timeout(), duration::max());
  EXPECT_EQ(anew::attempt{unlimited.current()}.limit(), 10s);

  // The same where it was chosen at run time that there is none.
  using chosen = anew::choice<anew::roles::attempt_timeout, anew::roles::absent<anew::roles::attempt_timeout>,
                              anew::attempt_timeout<anew::run_time>>;
  auto const nothing = anew::compose(anew::retry_all{}, anew::deadline<10s>{}, anew::max_attempts<3>{}, clock,
                                     chosen{anew::roles::absent<anew::roles::attempt_timeout>{}});
  retry_machine not_limited{nothing};
  ASSERT_EQ(not_limited.begin(), next_step::attempt);
  EXPECT_EQ(not_limited.attempt_timeout(), duration::max());
}

// --- declarations

TEST(RetryMachine, AsksWhatTheCallWasDeclaredToBe) {
  plain const strategy;
  auto const maybe = directive::retry(failure{error_kind::transient, retry_safety::maybe, {}});
  retry_machine undeclared{strategy};
  ASSERT_EQ(undeclared.begin(), next_step::attempt);
  EXPECT_EQ(undeclared.on_verdict(maybe), next_step::finished);
  EXPECT_EQ(undeclared.reason(), stop_reason::not_idempotent);

  retry_machine idempotent{strategy, anew::idempotent_call};
  ASSERT_EQ(idempotent.begin(), next_step::attempt);
  EXPECT_EQ(idempotent.on_verdict(maybe), next_step::wait);

  retry_machine once{strategy, anew::one_shot_call};
  ASSERT_EQ(once.begin(), next_step::attempt);
  EXPECT_EQ(once.on_outcome(false), next_step::finished);
  EXPECT_EQ(once.reason(), stop_reason::not_replayable);
}

// --- what an attempt is told, and the time

TEST(RetryMachine, TellsAnAttemptWhatRetryTells) {
  manual_clock const clock;
  auto const strategy = anew::compose(anew::retry_all{}, anew::constant_backoff<1s>{}, anew::no_jitter{},
                                      anew::max_attempts<3>{}, anew::deadline<10s>{}, clock);
  auto const start = clock.peek();
  retry_machine call{strategy};
  clock.advance(1s);  // the call begins with the constructor
  ASSERT_EQ(call.begin(), next_step::attempt);
  {
    anew::attempt const self{call.current()};
    EXPECT_EQ(self.number(), 1U);
    EXPECT_FALSE(self.is_retry());
    EXPECT_EQ(self.previous_error(), std::nullopt);
    EXPECT_EQ(self.deadline(), start + 10s);
    EXPECT_EQ(self.remaining(), 9s);
    EXPECT_FALSE(self.stop_requested());
  }
  ASSERT_EQ(call.on_outcome(false), next_step::wait);
  EXPECT_EQ(call.wait_ends_at(), start + 2s);
  clock.advance(500ms);
  EXPECT_EQ(call.wait_ends_at(), start + 2500ms);  // from now: ask when the timer is armed
  clock.advance(1s);
  ASSERT_EQ(call.on_wait_over(), next_step::attempt);
  anew::attempt const self{call.current()};
  EXPECT_EQ(self.number(), 2U);
  EXPECT_EQ(self.previous_error(), error_kind::transient);
  EXPECT_EQ(self.connection(), anew::connection_hint::fresh);
  EXPECT_EQ(self.remaining(), 7500ms);
}

TEST(RetryMachine, WaitsForNothingInTestMode) {
  plain const strategy;
  anew::testing::test_mode const fast{2};
  retry_machine call{strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  ASSERT_EQ(call.on_outcome(false), next_step::wait);
  EXPECT_EQ(call.wait(), 0s);
  ASSERT_EQ(call.on_wait_over(), next_step::attempt);
  EXPECT_EQ(call.on_outcome(false), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::attempts);
}

// --- gates, pacers, the last wait

TEST(RetryMachine, AGateMakesTheFirstAttemptWait) {
  manual_clock const clock;
  auto const strategy =
      anew::compose(anew::retry_all{}, anew::max_attempts<1>{}, anew::cool_down<anew::constant_backoff<2s>>{}, clock,
                    anew::testing::lowest_random{});
  retry_machine first{strategy};
  ASSERT_EQ(first.begin(), next_step::attempt);
  ASSERT_EQ(first.on_outcome(false), next_step::finished);
  clock.advance(500ms);
  retry_machine second{strategy};
  ASSERT_EQ(second.begin(), next_step::wait);
  EXPECT_EQ(second.attempts(), 0U);
  auto const asked_for = second.wait();
  EXPECT_GE(asked_for, 1500ms);
  EXPECT_LT(asked_for, 1502ms);
  EXPECT_EQ(second.wait_ends_at(), clock.peek() + asked_for);
  // Nobody waited: what was asked for counts as passed, so that no loop turns in place.
  EXPECT_EQ(second.on_wait_over(), next_step::attempt);
  EXPECT_EQ(second.attempts(), 1U);
}

// However long the machine waits for begin(): the gate is asked when the attempt begins.
TEST(RetryMachine, TheFirstAttemptBeginsWithBegin) {
  anew::testing::manual_clock const clock;
  auto const s = anew::compose(anew::circuit_breaker<1, 30s>{}, anew::retry_all{}, anew::max_attempts<1>{},
                               anew::deadline<1h>{}, anew::retry_budget<>{}, clock);
  {
    anew::retry_machine fails{s};
    ASSERT_EQ(fails.begin(), anew::next_step::attempt);
    ASSERT_EQ(fails.on_outcome(false), anew::next_step::finished);
  }
  anew::retry_machine m{s};
  clock.advance(1min);
  EXPECT_EQ(m.begin(), anew::next_step::attempt) << "the circuit has been open for long enough";

  auto const resets = anew::compose(anew::reset_after<30s>{}, anew::retry_all{}, anew::max_attempts<2>{},
                                    anew::deadline<1h>{}, anew::no_backoff{}, clock);
  anew::retry_machine of_reset{resets};
  clock.advance(1min);
  ASSERT_EQ(of_reset.begin(), anew::next_step::attempt);
  ASSERT_EQ(of_reset.on_outcome(false), anew::next_step::wait);
  ASSERT_EQ(of_reset.on_wait_over(), anew::next_step::attempt);
  EXPECT_EQ(of_reset.on_outcome(false), anew::next_step::finished) << "no attempt ran for 30 s";
}

// A wait that a gate asks for leaves the deadline's reserve, as a planned delay does.
TEST(RetryMachine, AWaitOfAGateLeavesTheReserve) {
  auto const left = [](auto deadline) {
    anew::testing::manual_clock const clock;
    auto const s =
        anew::compose(anew::cool_down<anew::constant_backoff<9900ms>>{}, anew::no_backoff{}, anew::retry_all{},
                      anew::max_attempts<5>{}, deadline, clock, anew::testing::lowest_random{});  // 4950ms
    anew::retry_machine m{s};
    EXPECT_EQ(m.begin(), anew::next_step::attempt);
    auto step = m.on_outcome(false);
    while (step == anew::next_step::wait) {
      clock.advance(m.wait());
      step = m.on_wait_over();
    }
    return std::pair{m.reason(), m.attempts()};
  };
  EXPECT_EQ(left(anew::deadline<11s, anew::at_deadline::stop, 500ms>{}).second, 2U);
  auto const ended = std::pair{anew::stop_reason::deadline, 1U};
  EXPECT_EQ(left(anew::deadline<5s, anew::at_deadline::stop, 500ms>{}), ended);
  EXPECT_EQ(left(anew::deadline<5200ms, anew::at_deadline::stop, 500ms>{}), ended);
  EXPECT_EQ(left(anew::deadline<5200ms, anew::at_deadline::clamp, 500ms>{}), ended);
}

TEST(RetryMachine, AGateRefusesTheFirstAttempt) {
  manual_clock const clock;
  recorder const heard;
  auto const strategy =
      anew::compose(anew::retry_all{}, anew::max_attempts<1>{}, anew::circuit_breaker<1, 30s>{}, clock, heard);
  retry_machine first{strategy};
  ASSERT_EQ(first.begin(), next_step::attempt);
  ASSERT_EQ(first.on_outcome(false), next_step::finished);
  retry_machine second{strategy};
  EXPECT_EQ(second.begin(), next_step::finished);
  EXPECT_EQ(second.reason(), stop_reason::gate_closed);
  EXPECT_EQ(second.attempts(), 0U);
  EXPECT_EQ(heard.story().back(), "end gate_closed after 0");
}

TEST(RetryMachine, ALongPollWaitsOnceMoreAndEnds) {
  auto const strategy = anew::compose(anew::retry_all{}, anew::constant_backoff<3s>{}, anew::no_jitter{},
                                      anew::max_attempts<9>{}, anew::long_poll{anew::token_bucket{0}});
  retry_machine call{strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  ASSERT_EQ(call.on_outcome(false), next_step::wait);
  EXPECT_EQ(call.wait(), 3s);
  EXPECT_EQ(call.on_wait_over(), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::quota);
  EXPECT_EQ(call.attempts(), 1U);
}

// --- stops

struct stopping {
  audited_quota quota{};
  recorder heard{};
  decltype(anew::compose(anew::retry_all{}, anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::max_attempts<5>{},
                         audited_quota{}, recorder{})) strategy =
      anew::compose(anew::retry_all{}, anew::constant_backoff<1s>{}, anew::no_jitter{}, anew::max_attempts<5>{}, quota,
                    heard);
};

TEST(RetryMachine, AStopBeforeTheBeginning) {
  stopping s;
  retry_machine call{s.strategy};
  EXPECT_EQ(call.request_stop(), next_step::finished);
  EXPECT_EQ(call.begin(), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::cancelled);
  EXPECT_EQ(call.attempts(), 0U);
  EXPECT_EQ(s.heard.story(), (book{"end cancelled after 0"}));
}

TEST(RetryMachine, AStopInTheWaitGivesTheRetryBackAtOnce) {
  stopping s;
  retry_machine call{s.strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  ASSERT_EQ(call.on_outcome(false), next_step::wait);
  EXPECT_EQ(s.quota.outstanding(), 1U);
  EXPECT_EQ(call.request_stop(), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::cancelled);
  EXPECT_EQ(s.quota.book(), (book{"acquire 1", "release 1"}));  // although the machine lives
  // The timer had fired already, or somebody stops once more.
  EXPECT_EQ(call.on_wait_over(), next_step::finished);
  EXPECT_EQ(call.request_stop(), next_step::finished);
  EXPECT_EQ(call.attempts(), 1U);
  EXPECT_EQ(s.heard.story(), (book{"attempt 1 may be retried", "retry 2", "end cancelled after 1"}));
}

TEST(RetryMachine, AStopInAnAttemptIsToldByItsEnd) {
  stopping s;
  retry_machine call{s.strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  ASSERT_EQ(call.on_outcome(false), next_step::wait);
  ASSERT_EQ(call.on_wait_over(), next_step::attempt);
  EXPECT_EQ(call.request_stop(), next_step::attempt);
  EXPECT_EQ(call.request_stop(), next_step::attempt);
  EXPECT_EQ(call.on_outcome(false), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::cancelled);
  EXPECT_EQ(call.attempts(), 2U);
  EXPECT_EQ(s.quota.book(), (book{"acquire 1", "release 1"}));
  EXPECT_EQ(s.heard.story().back(), "end cancelled after 2");
}

TEST(RetryMachine, WhateverFailsAfterAStopIsItsDoing) {
  auto const ends_with = [](auto const& tell) {
    stopping s;
    retry_machine call{s.strategy};
    EXPECT_EQ(call.begin(), next_step::attempt);
    EXPECT_EQ(call.request_stop(), next_step::attempt);
    EXPECT_EQ(tell(call), next_step::finished);
    return call.reason();
  };
  EXPECT_EQ(ends_with([](auto& call) { return call.on_outcome(std::errc::timed_out); }), stop_reason::cancelled);
  EXPECT_EQ(ends_with([](auto& call) { return call.on_error(1); }), stop_reason::cancelled);
  EXPECT_EQ(ends_with([](auto& call) { return call.on_verdict(directive::fail()); }), stop_reason::cancelled);
  EXPECT_EQ(ends_with([](auto& call) { return call.on_attempt_timeout(); }), stop_reason::cancelled);
#if ANEW_EXCEPTIONS
  EXPECT_EQ(ends_with([](auto& call) { return call.on_exception(std::make_exception_ptr(1)); }),
            stop_reason::cancelled);
#endif
  EXPECT_EQ(ends_with([](auto& call) { return call.on_outcome(true); }), stop_reason::succeeded);
  EXPECT_EQ(ends_with([](auto& call) { return call.on_success(); }), stop_reason::succeeded);
  EXPECT_EQ(ends_with([](auto& call) { return call.on_verdict(directive::succeed()); }), stop_reason::succeeded);
}

// --- who holds what

TEST(RetryMachine, GivesBackWhatItHoldsWhenItIsDestroyedInTheMiddle) {
  stopping s;
  {
    retry_machine call{s.strategy};
    ASSERT_EQ(call.begin(), next_step::attempt);
    ASSERT_EQ(call.on_outcome(false), next_step::wait);
    EXPECT_EQ(call.reason(), stop_reason::cancelled);  // what it is, if nothing more is told
  }
  {
    retry_machine call{s.strategy};
    ASSERT_EQ(call.begin(), next_step::attempt);
    ASSERT_EQ(call.on_outcome(false), next_step::wait);
    ASSERT_EQ(call.on_wait_over(), next_step::attempt);
  }
  EXPECT_EQ(s.quota.book(), (book{"acquire 1", "release 1", "acquire 2", "release 2"}));
}

TEST(RetryMachine, GivesBackAPassAndItsPlaceAmongTheCalls) {
  manual_clock const clock;
  auto const strategy = anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<1>{},
                                      anew::circuit_breaker<1, 1s>{}, anew::concurrency_budget{100, 0}, clock);
  {
    retry_machine call{strategy};
    EXPECT_EQ(strategy.quota().balance(), 1U);
    ASSERT_EQ(call.begin(), next_step::attempt);
    ASSERT_EQ(call.on_outcome(false), next_step::finished);  // opens the breaker
    EXPECT_EQ(strategy.quota().balance(), 0U);               // over, although the machine lives
  }
  clock.advance(2s);
  {
    retry_machine probe{strategy};
    ASSERT_EQ(probe.begin(), next_step::attempt);
    retry_machine other{strategy};
    EXPECT_EQ(other.begin(), next_step::finished);  // one probe at a time
  }
  retry_machine probe{strategy};
  EXPECT_EQ(probe.begin(), next_step::attempt);
  EXPECT_EQ(probe.on_success(), next_step::finished);
  EXPECT_EQ(strategy.quota().balance(), 0U);
}

TEST(RetryMachine, MovesWithWhatItHolds) {
  stopping s;
  retry_machine call{s.strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  ASSERT_EQ(call.on_outcome(false), next_step::wait);
  {
    auto moved = std::move(call);
    EXPECT_EQ(moved.wait(), 1s);
    EXPECT_EQ(moved.on_wait_over(), next_step::attempt);
    EXPECT_EQ(s.quota.outstanding(), 1U);
    EXPECT_EQ(moved.on_outcome(true), next_step::finished);
    EXPECT_EQ(moved.attempts(), 2U);
  }
  EXPECT_EQ(s.quota.book(), (book{"acquire 1", "success 1"}));

  // A place for a call is used again: what the call before held comes back.
  retry_machine place{s.strategy};
  ASSERT_EQ(place.begin(), next_step::attempt);
  ASSERT_EQ(place.on_outcome(false), next_step::wait);
  place = retry_machine{s.strategy};
  EXPECT_EQ(s.quota.outstanding(), 0U);
  EXPECT_EQ(place.begin(), next_step::attempt);
  EXPECT_EQ(place.attempts(), 1U);
}

#if ANEW_EXCEPTIONS
TEST(RetryMachine, WhatAPartOfTheStrategyThrowsEndsTheCall) {
  struct throws_at {
    using role = anew::roles::observer;
    int* countdown;
    void on_attempt(anew::attempt_event const&) const {
      if (--*countdown == 0) throw std::runtime_error{"observer"};
    }
  };
  for (int at : {1, 2}) {
    audited_quota const quota;
    int countdown = at;
    auto const strategy = anew::compose(anew::retry_all{}, anew::no_backoff{}, quota, throws_at{&countdown});
    retry_machine call{strategy};
    auto step = call.begin();
    auto const drive = [&] {
      while (step != next_step::finished)
        step = step == next_step::attempt ? call.on_outcome(false) : call.on_wait_over();
    };
    EXPECT_THROW(drive(), std::runtime_error);
    EXPECT_EQ(quota.outstanding(), 0U);
    EXPECT_EQ(call.request_stop(), next_step::finished);
    EXPECT_NE(call.reason(), stop_reason::succeeded);
  }
}

TEST(RetryMachine, AClassifierThatThrowsLeavesNothingHeld) {
  struct throws_at_two {
    using role = anew::roles::classifier;
    using catches = anew::catch_list<int>;
    [[nodiscard]] static directive classify_result(int value) {
      if (value == 2) throw std::runtime_error{"classifier"};
      return value == 0 ? directive::succeed() : directive::retry(error_kind::server);
    }
    [[nodiscard]] static directive classify(int error) { return classify_result(error); }
  };
  for (int how = 0; how != 3; ++how) {
    audited_quota const quota;
    auto const strategy = anew::compose(throws_at_two{}, anew::no_backoff{}, quota);
    retry_machine call{strategy};
    ASSERT_EQ(call.begin(), next_step::attempt);
    ASSERT_EQ(call.on_outcome(1), next_step::wait);
    ASSERT_EQ(call.on_wait_over(), next_step::attempt);
    EXPECT_EQ(quota.outstanding(), 1U);
    auto const tell = [&] {
      if (how == 0) return call.on_outcome(2);
      if (how == 1) return call.on_error(2);
      return call.on_exception(std::make_exception_ptr(2));
    };
    EXPECT_THROW(static_cast<void>(tell()), std::runtime_error);
    EXPECT_EQ(quota.book(), (book{"acquire 1", "release 1"})) << how;
    EXPECT_EQ(call.on_wait_over(), next_step::finished);
  }
}
#endif

// --- a strategy that is not composed

/// A token that counts its kind, and functions that take it by reference and leave it where it is.
struct counted_token {
  static inline int alive = 0;
  bool counts = true;
  counted_token() { ++alive; }
  counted_token(counted_token&& other) noexcept : counts{std::exchange(other.counts, false)} {}
  counted_token& operator=(counted_token&& other) noexcept {
    if (this != &other) {
      if (counts) --alive;
      counts = std::exchange(other.counts, false);
    }
    return *this;
  }
  ~counted_token() {
    if (counts) --alive;
  }
  [[nodiscard]] anew::duration delay() const { return 5ms; }
};
struct foreign_strategy {
  using token_type = counted_token;
  [[nodiscard]] token_type acquire_initial_token() const { return {}; }
  [[nodiscard]] anew::refreshed<token_type> refresh_retry_token(token_type&& token, failure const& what) const {
    if (what.safety == retry_safety::no) return stop_reason::attempts;
    return token_type{std::move(token)};
  }
  void record_success(token_type&& /*token*/) const {}
};
static_assert(anew::RetryStrategy<foreign_strategy>);

struct busy {
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::yes; }
};

TEST(RetryMachine, DrivesAnyStrategy) {
  foreign_strategy const strategy;
  retry_machine call{strategy};
  EXPECT_EQ(counted_token::alive, 1);
  ASSERT_EQ(call.begin(), next_step::wait);  // its first token asks for one
  EXPECT_EQ(call.wait(), 5ms);
  ASSERT_EQ(call.on_wait_over(), next_step::attempt);
  ASSERT_EQ(call.on_error(busy{}), next_step::wait);  // by the default classifier
  ASSERT_EQ(call.on_wait_over(), next_step::attempt);
  EXPECT_EQ(call.current().number, 2U);
  EXPECT_EQ(counted_token::alive, 1);
  EXPECT_EQ(call.on_success(), next_step::finished);
  EXPECT_EQ(counted_token::alive, 0);

  retry_machine refused{strategy};
  ASSERT_EQ(refused.begin(), next_step::wait);
  ASSERT_EQ(refused.on_wait_over(), next_step::attempt);
  EXPECT_EQ(refused.on_verdict(directive::fail()), next_step::finished);
  EXPECT_EQ(refused.reason(), stop_reason::attempts);
  EXPECT_EQ(counted_token::alive, 0);

  retry_machine stopped{strategy};
  ASSERT_EQ(stopped.begin(), next_step::wait);
  EXPECT_EQ(stopped.request_stop(), next_step::finished);
  EXPECT_EQ(stopped.attempts(), 0U);
  EXPECT_EQ(counted_token::alive, 0);
}

TEST(RetryMachine, DrivesAStrategyBehindTheVirtualInterface) {
  manual_clock const clock;
  recorder const heard;
  auto strategy = anew::compose(anew::retry_all{}, anew::constant_backoff<1s>{}, anew::no_jitter{}, clock, heard,
                                anew::max_attempts<3>{}, anew::cool_down<anew::constant_backoff<2s>>{});
  anew::virtual_strategy<decltype(strategy)> const behind{std::move(strategy)};
  anew::basic_strategy_view const view{behind, anew::retry_all{}};
  retry_machine call{view};
  ASSERT_EQ(call.begin(), next_step::attempt);
  ASSERT_EQ(call.on_outcome(false), next_step::wait);
  EXPECT_EQ(call.wait(), 1s);
  clock.advance(1s);
  ASSERT_EQ(call.on_wait_over(), next_step::wait);  // the gate's
  clock.advance(call.wait());
  ASSERT_EQ(call.on_wait_over(), next_step::attempt);
  EXPECT_EQ(call.on_outcome(true), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::succeeded);
  EXPECT_EQ(heard.story(),
            (book{"attempt 1 may be retried", "retry 2", "attempt 2 succeeded", "end succeeded after 2"}));
}

// --- many calls

TEST(RetryMachine, ManyCallsShareOneStrategy) {
  auto const strategy =
      anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::token_bucket{14 * 5}, anew::max_attempts<2>{});
  std::vector<retry_machine<std::remove_const_t<decltype(strategy)>>> calls;
  for (int n = 0; n != 10; ++n) calls.emplace_back(strategy);
  int waiting = 0;
  for (auto& call : calls) {
    ASSERT_EQ(call.begin(), next_step::attempt);
    if (call.on_outcome(false) == next_step::wait) ++waiting;
  }
  EXPECT_EQ(waiting, 5);
  EXPECT_EQ(calls.back().reason(), stop_reason::quota);
  calls.clear();
  EXPECT_EQ(strategy.quota().balance(), 14U * 5);
}

}  // namespace
}  // namespace machine_retry_machine_test
