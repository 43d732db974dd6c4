// SPDX-License-Identifier: BSL-1.0
// Each function of the machine by itself, and what it does where the blocking loop has nothing to compare with: a call
// that is given up, stopped before it began, or driven by a timer that comes too late.
#include <chrono>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/gate/cool_down.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/reset_after.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace anew::detail {
void one_of_the_details_of_a_machine(auto const&) {}
}  // namespace anew::detail

namespace machine_retry_machine_test {
namespace {

using namespace anew;
using support::audited_quota;
using support::recorder;
using book = std::vector<std::string>;

// --- what it is

using plain = anew::strategy<retry_all, constant_backoff<1s>, no_jitter, max_attempts<3>>;
using with_bucket = anew::strategy<retry_all, token_bucket<500>, max_attempts<3>>;
using with_all =
    anew::strategy<retry_all, token_bucket<500>, max_attempts<3>, anew::deadline<10s>, circuit_breaker<5, 30s>>;

static_assert(sizeof(retry_machine<plain>) <= 64 && sizeof(retry_machine<with_bucket>) <= 64);
static_assert(sizeof(retry_machine<with_bucket, declared::idempotent>) == sizeof(retry_machine<with_bucket>));
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
static_assert(!FindsDetails<std::remove_const_t<decltype(idempotent_call)>> && !FindsDetails<next_step>);
static_assert(FindsDetails<detail::machine<plain>>);

// --- how an attempt ended

template <class Classifier>
using once_more = anew::strategy<Classifier, constant_backoff<1s>, no_jitter, max_attempts<2>>;

using is_503 = decltype([](int code) noexcept { return code == 503; });

// --- attempt timeouts

TEST(RetryMachine, AnAttemptThatTookTooLongMayHaveTakenEffect) {
  once_more<retry_if<is_503>> const strategy;  // which reads no error codes
  retry_machine call{strategy};
  ASSERT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.on_attempt_timeout(), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::not_idempotent);

  retry_machine again{strategy, idempotent_call};
  ASSERT_EQ(again.begin(), next_step::attempt);
  ASSERT_EQ(again.on_attempt_timeout(), next_step::wait);
  ASSERT_EQ(again.on_wait_over(), next_step::attempt);
  EXPECT_EQ(again.current().previous, error_kind::timeout);
  ASSERT_EQ(again.on_success(), next_step::finished);
  EXPECT_EQ(again.on_attempt_timeout(), next_step::finished) << "the timer comes too late";
}

TEST(RetryMachine, AClassifierOfErrorCodesSaysWhatATimeoutIs) {
  struct final_when_late {
    using role = roles::classifier;
    [[nodiscard]] static directive classify(std::error_code error) {
      return error == std::errc::timed_out ? directive::fail() : directive::retry(error_kind::transient);
    }
  };
  once_more<final_when_late> const strategy;
  retry_machine call{strategy, idempotent_call};
  ASSERT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.on_attempt_timeout(), next_step::finished);
  EXPECT_EQ(call.reason(), stop_reason::not_retryable);
}

TEST(RetryMachine, TellsTheLimitOfAnAttemptWhereOneIsComposed) {
  manual_clock const clock;
  auto const fixed = compose(retry_all{}, anew::deadline<10s>{}, attempt_timeout<3s>{}, max_attempts<3>{}, clock);
  retry_machine call{fixed};
  ASSERT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.attempt_timeout(), 3s);
  EXPECT_EQ(attempt{call.current()}.limit(), 3s);
  clock.advance(8s);
  EXPECT_EQ(call.attempt_timeout(), 2s);

  auto const half =
      compose(retry_all{}, anew::deadline<10s>{}, attempt_timeout_share<rational{1, 2}>{}, max_attempts<3>{}, clock);
  retry_machine shared{half};
  ASSERT_EQ(shared.begin(), next_step::attempt);
  EXPECT_EQ(shared.attempt_timeout(), 5s);

  // A deadline alone tells, and ends nothing.
  auto const none = compose(retry_all{}, anew::deadline<10s>{}, max_attempts<3>{}, clock);
  retry_machine unlimited{none};
  ASSERT_EQ(unlimited.begin(), next_step::attempt);
  EXPECT_EQ(unlimited.attempt_timeout(), duration::max());
  EXPECT_EQ(attempt{unlimited.current()}.limit(), 10s);

  // The same where it was chosen at run time that there is none.
  using chosen = choice<roles::attempt_timeout, roles::absent<roles::attempt_timeout>, attempt_timeout<run_time>>;
  auto const nothing = compose(retry_all{}, anew::deadline<10s>{}, max_attempts<3>{}, clock,
                               chosen{roles::absent<roles::attempt_timeout>{}});
  retry_machine not_limited{nothing};
  ASSERT_EQ(not_limited.begin(), next_step::attempt);
  EXPECT_EQ(not_limited.attempt_timeout(), duration::max());
}

// --- gates, pacers, the last wait

// However long the machine waits for begin(): the gate is asked when the attempt begins.
TEST(RetryMachine, TheFirstAttemptBeginsWithBegin) {
  manual_clock const clock;
  auto const s =
      compose(circuit_breaker<1, 30s>{}, retry_all{}, max_attempts<1>{}, anew::deadline<1h>{}, retry_budget<>{}, clock);
  {
    retry_machine fails{s};
    ASSERT_EQ(fails.begin(), next_step::attempt);
    ASSERT_EQ(fails.on_outcome(false), next_step::finished);
  }
  retry_machine m{s};
  clock.advance(1min);
  EXPECT_EQ(m.begin(), next_step::attempt) << "the circuit has been open for long enough";

  auto const resets =
      compose(reset_after<30s>{}, retry_all{}, max_attempts<2>{}, anew::deadline<1h>{}, no_backoff{}, clock);
  retry_machine of_reset{resets};
  clock.advance(1min);
  ASSERT_EQ(of_reset.begin(), next_step::attempt);
  ASSERT_EQ(of_reset.on_outcome(false), next_step::wait);
  ASSERT_EQ(of_reset.on_wait_over(), next_step::attempt);
  EXPECT_EQ(of_reset.on_outcome(false), next_step::finished) << "no attempt ran for 30 s";
}

// A wait that a gate asks for leaves the deadline's reserve, as a planned delay does.
TEST(RetryMachine, AWaitOfAGateLeavesTheReserve) {
  auto const left = [](auto deadline) {
    manual_clock const clock;
    auto const s = compose(cool_down<constant_backoff<9900ms>>{}, no_backoff{}, retry_all{}, max_attempts<5>{},
                           deadline, clock, anew::testing::lowest_random{});  // 4950ms
    retry_machine m{s};
    EXPECT_EQ(m.begin(), next_step::attempt);
    auto step = m.on_outcome(false);
    while (step == next_step::wait) {
      clock.advance(m.wait());
      step = m.on_wait_over();
    }
    return std::pair{m.reason(), m.attempts()};
  };
  EXPECT_EQ(left(anew::deadline<11s, at_deadline::stop, 500ms>{}).second, 2U);
  auto const ended = std::pair{stop_reason::deadline, 1U};
  EXPECT_EQ(left(anew::deadline<5s, at_deadline::stop, 500ms>{}), ended);
  EXPECT_EQ(left(anew::deadline<5200ms, at_deadline::stop, 500ms>{}), ended);
  EXPECT_EQ(left(anew::deadline<5200ms, at_deadline::clamp, 500ms>{}), ended);
}

// --- stops

struct stopping {
  audited_quota quota{};
  recorder heard{};
  decltype(compose(retry_all{}, constant_backoff<1s>{}, no_jitter{}, max_attempts<5>{}, audited_quota{},
                   recorder{})) strategy =
      compose(retry_all{}, constant_backoff<1s>{}, no_jitter{}, max_attempts<5>{}, quota, heard);
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
  auto const strategy = compose(retry_all{}, no_backoff{}, max_attempts<1>{}, circuit_breaker<1, 1s>{},
                                concurrency_budget{100, 0}, clock);
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

}  // namespace
}  // namespace machine_retry_machine_test
