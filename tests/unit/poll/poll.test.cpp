// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies/backoff/constant.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/limits/poll_deadline.hpp"
#include "anew/poll.hpp"
#include "anew/strategy/strategy.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "failed_answer.hpp"
#include "names.hpp"
#include "poll_support.hpp"

namespace poll_poll_test {
namespace {

using namespace anew;

enum class status { pending, ready, broken };

constexpr auto is_ready = [](status s) { return s == status::ready; };
constexpr auto is_broken = [](status s) { return s == status::broken; };

struct request_error {
  int code;
};
using answer = support::expected<status, request_error>;

using every_second = strategy<constant_backoff<1s>, no_jitter, max_attempts<5>, retry_all>;

template <class R>
using script = support::replay<R>;

auto within_10s(manual_clock const& clock) {
  return compose(constant_backoff<3s>{}, no_jitter{}, unbounded{}, poll_deadline{10s, 2s}, retry_all{}, clock);
}

using end = std::pair<stop_reason, unsigned>;  // and the number of looks
end end_of(auto op, auto const& on) {
  recording_sleeper sleep;
  auto const told = poll(every_second{}, op, on, sleep);
  EXPECT_EQ(sleep.total(), (told.attempts() - 1) * 1s);
  EXPECT_EQ(told.succeeded(), told.reason() == stop_reason::succeeded);
  EXPECT_FALSE(told.timed_out());
  EXPECT_EQ(told.failed(), told.reason() == stop_reason::not_retryable || told.reason() == stop_reason::unclassified);
  return {told.reason(), told.attempts()};
}
constexpr auto succeeded = stop_reason::succeeded;
constexpr auto failed = stop_reason::not_retryable;

TEST(Poll, AcceptorsOfResults) {
  constexpr auto pending = status::pending;
  constexpr auto ready = status::ready;
  auto const on_ready = success_when(is_ready);
  auto const any = [](status) { return true; };
  auto const fails = failure_when(any);
  auto const op = [] { return ready; };
  EXPECT_EQ(end_of(op, on_ready), end(succeeded, 1));
  EXPECT_EQ(end_of([] { return pending; }, on_ready), end(stop_reason::attempts, 5)) << "no opinion is not ready";
  EXPECT_EQ(end_of(script<status>{{pending, status::broken}}, acceptors{on_ready, failure_when(is_broken)}),
            end(failed, 2));
  // The first with an opinion wins.
  EXPECT_EQ(end_of(op, acceptors{failure_when(is_broken), on_ready, fails}), end(succeeded, 1));
  EXPECT_EQ(end_of(op, acceptors{fails, on_ready}), end(failed, 1));
  EXPECT_EQ(end_of(op, acceptors{retry_when(any), on_ready}), end(stop_reason::attempts, 5));
  // An empty optional holds no value to ask about.
  using maybe = script<std::optional<status>>;
  EXPECT_EQ(end_of(maybe{{std::nullopt, pending, ready}}, on_ready), end(succeeded, 3));
  auto const is_pending = [](status s) { return s == pending; };
  EXPECT_EQ(end_of(maybe{{std::nullopt, ready, pending}}, success_when(is_pending)), end(succeeded, 3));
  // What may mean a failure elsewhere is an answer here.
  EXPECT_EQ(end_of(script<bool>{{false, false, true}}, success_when([](bool b) { return b; })), end(succeeded, 3));
  int const found = 7;
  EXPECT_EQ(end_of(script<int const*>{{nullptr, &found}}, success_when([](int const* p) { return p != nullptr; })),
            end(succeeded, 2));
}

TEST(Poll, AcceptorsOfErrors) {
  script<answer> const op{{status::pending, request_error{404}, status::ready}};
  auto const on_value = success_when([](answer const& a) { return is_ready(*a); });
  auto const on_404 = retry_on_error([](request_error const& e) { return e.code == 404; });
  // A predicate that could change the exception is not asked, and so refused.
  using changing = decltype(retry_on_error([](request_error& e) { return e.code == 404; }));
  static_assert(std::is_same_v<changing::catches, catch_list<>>);
  static_assert(std::is_same_v<decltype(on_404)::catches, catch_list<request_error>>);
  EXPECT_EQ(end_of(op, acceptors{on_value, on_404}), end(succeeded, 3));
  EXPECT_EQ(end_of(op, success_when(is_ready)), end(failed, 2)) << "an error without an opinion is the end";
  // Results are not asked about errors, nor errors about results.
  auto const on_error = success_on_error([](request_error const&) { return true; });
  auto const on_result = failure_when([](answer const&) { return true; });
  auto const fails = [] { return answer{request_error{1}}; };
  EXPECT_EQ(end_of(fails, acceptors{on_result, on_error}), end(succeeded, 1));
  EXPECT_EQ(end_of([] { return answer{status::ready}; }, acceptors{on_error, on_result}), end(failed, 1));
  EXPECT_EQ(end_of(fails, success_on_error()), end(succeeded, 1));
  auto const absent = std::make_error_code(std::errc::no_such_file_or_directory);
  EXPECT_EQ(end_of(script<std::error_code>{{absent, std::error_code{}}},
                   acceptors{success_on_result(), retry_on_error([=](std::error_code e) { return e == absent; })}),
            end(succeeded, 2));
}

TEST(Poll, MoveOnlyResultsAndReferences) {
  auto const there = [](std::unique_ptr<int> const& p) { return p != nullptr; };
  auto made = poll_for(every_second{}, [] { return std::make_unique<int>(3); }, success_when(there), no_sleep);
  EXPECT_EQ(*made, 3);
  int place = 0;
  auto const op = [&]() -> int& { return ++place, place; };
  int& seen = poll_for(every_second{}, op, success_when([](int n) { return n == 3; }), no_sleep);
  EXPECT_EQ(&seen, &place);
  EXPECT_EQ(place, 3);
}

#if ANEW_EXCEPTIONS
struct not_found : std::runtime_error {
  not_found() : std::runtime_error{"not found"} {}
};
struct gone : not_found {};

/// Replays what it throws; then it is ready.
auto throws(std::vector<std::exception_ptr> what) {
  return [left = std::move(what), calls = std::size_t{0}]() mutable -> status {
    if (calls < left.size()) std::rethrow_exception(left[calls++]);
    return status::ready;
  };
}

TEST(Poll, AcceptorsOfExceptions) {
  auto const one = [](auto error) { return throws({std::make_exception_ptr(error)}); };
  auto const late = std::system_error{std::make_error_code(std::errc::timed_out)};
  auto const on_ready = success_when(is_ready);
  auto const on_not_found = retry_on_error<not_found>();
  auto const on_late = retry_on_error([](std::system_error const& e) { return e.code() == std::errc::timed_out; });
  EXPECT_EQ(end_of(throws({std::make_exception_ptr(not_found{}), std::make_exception_ptr(late)}),
                   acceptors{on_ready, on_not_found, on_late}),
            end(succeeded, 3));
  EXPECT_EQ(end_of(one(std::logic_error{"no"}), acceptors{on_ready, on_not_found}).second, 1U) << "of another type";
  EXPECT_EQ(end_of(one(42), success_on_error()), end(succeeded, 1));
  // The order of the acceptors comes before that of the types.
  auto const fails_not_found = failure_on_error<not_found>();
  auto const on_gone = success_on_error<gone>();
  EXPECT_EQ(end_of(one(gone{}), acceptors{fails_not_found, on_gone}), end(failed, 1));
  EXPECT_EQ(end_of(one(gone{}), acceptors{on_gone, fails_not_found}), end(succeeded, 1));
  EXPECT_EQ(end_of(one(gone{}), acceptors{failure_on_error([](gone const&) { return false; }),
                                          success_on_error<std::logic_error, not_found>()}),
            end(succeeded, 1))
      << "a predicate that says no leaves the exception to the acceptors after it";
}

TEST(Poll, ASuccessByAnExceptionHasNoResultButTheFallback) {
  auto const is_gone = [] {
    return poll(every_second{}, throws({std::make_exception_ptr(gone{})}), success_on_error<gone>(), no_sleep);
  };
  EXPECT_EQ(is_gone().result_or(status::ready), status::ready);
  auto const kept = is_gone();
  EXPECT_TRUE(kept.succeeded());
  EXPECT_EQ(kept.result_or(status::ready), status::ready);
}

TEST(Poll, TheLastExceptionIsKeptAndNoResultBeforeIt) {
  int place = 0;
  auto const third_throws = [&place]() -> int& {
    if (++place == 3) throw gone{};
    return place;
  };
  auto const on_not_found = success_on_error<not_found>();  // gone is a not_found
  auto const never = success_when([](int) { return false; });
  for (bool const is_success : {true, false}) {
    place = 0;
    auto const told = is_success ? poll(every_second{}, third_throws, on_not_found, no_sleep)
                                 : poll(every_second{}, third_throws, never, no_sleep);
    EXPECT_EQ(told.succeeded(), is_success);
    EXPECT_EQ(told.failed(), !is_success);
    EXPECT_EQ(told.attempts(), 3U);
    EXPECT_FALSE(told.has_result());
    EXPECT_NE(told.exception(), nullptr);
    EXPECT_THROW((void)told.result(), gone);
  }
  place = 2;
  EXPECT_THROW((void)poll_for(every_second{}, third_throws, never, no_sleep), gone);
}

TEST(Poll, WhatAnAcceptorThrowsIsThrown) {
  auto const bad = success_when([](status) -> bool { throw std::bad_exception{}; });
  EXPECT_THROW((void)poll(every_second{}, [] { return status::ready; }, bad, no_sleep), std::bad_exception);
  auto const op = []() -> status { throw not_found{}; };
  auto const bad_too = success_on_error([](not_found const&) -> bool { throw std::bad_exception{}; });
  EXPECT_THROW((void)poll(every_second{}, op, acceptors{bad_too, success_on_error()}, no_sleep), std::bad_exception);
}

#endif

TEST(Poll, VoidOperations) {
  int calls = 0;
  auto const op = [&calls] { ++calls; };
  auto const told = poll(every_second{}, op, success_when([&calls] { return calls == 2; }), no_sleep);
  EXPECT_TRUE(told.succeeded());
  EXPECT_EQ(told.attempts(), 2U);
  static_assert(std::is_void_v<decltype(poll_for(every_second{}, op, success_on_result(), no_sleep))>);
  poll_for(every_second{}, op, success_on_result(), no_sleep);
  EXPECT_EQ(calls, 3);
}

TEST(Poll, WhatAnOperationDeclaresStillHolds) {
  int rewound = 0;
  auto op = rewinding([] { return status::pending; }, [&rewound] { return ++rewound < 3; });
  auto const told = poll(every_second{}, op, success_when(is_ready), no_sleep);
  EXPECT_EQ(told.reason(), stop_reason::not_replayable);
  EXPECT_EQ(told.attempts(), 3U);
}

// --- time ---

struct stopped_in_its_sleep {
  support::flag_stop::state state{};
  support::flag_stop stop{state};
  recording_sleeper sleep{[this] { state.requested = true; }};
};

TEST(Poll, AStopEndsTheSleepAndNoLookFollows) {
  stopped_in_its_sleep s;
  script<status> op{{status::pending, status::ready}};
  auto const told = poll(every_second{}, op, success_when(is_ready), s.sleep, s.stop);
  EXPECT_EQ(told.reason(), stop_reason::cancelled);
  EXPECT_EQ(told.attempts(), 1U);
  EXPECT_EQ(op.calls, 1U);
  EXPECT_EQ(told.result(), status::pending);
}

#if defined(__cpp_lib_jthread)
TEST(Poll, TheBlockingSleeperIsTheDefaultWithAStopTokenToo) {
  using at_once = strategy<constant_backoff<1ns>, no_jitter, max_attempts<3>, retry_all>;
  EXPECT_EQ(poll(at_once{}, [] { return status::pending; }, success_when(is_ready)).attempts(), 3U);
  std::stop_source source;
  auto const op = [&source] {
    source.request_stop();
    return status::pending;
  };
  auto const told = poll(every_second{}, op, success_when(is_ready), source.get_token());
  EXPECT_EQ(told.reason(), stop_reason::cancelled);
  EXPECT_EQ(told.attempts(), 1U);
}
#endif

TEST(Poll, ARejectedResultLivesUntilTheNextLookOnly) {
  support::tracked::reset();
  recording_sleeper sleep{[] { EXPECT_EQ(support::tracked::alive, 1); }};
  int calls = 0;
  {
    auto const told = poll(
        every_second{},
        [&calls] {
          EXPECT_EQ(support::tracked::alive, 0);
          return support::tracked{++calls};
        },
        success_when([](support::tracked const& t) { return t.value == 3; }), sleep);
    EXPECT_EQ(told.result().value, 3);
    EXPECT_EQ(support::tracked::copies, 0);
    EXPECT_EQ(support::tracked::moves, 0);
  }
  EXPECT_EQ(support::tracked::alive, 0);
}

// --- waiting first ---

TEST(WaitFirst, NoWaitIsNoSleep) {
  recording_sleeper sleep;
  wait_first const waiter{every_second{}, 0ms};
  EXPECT_TRUE(poll(waiter, [] { return status::ready; }, success_when(is_ready), sleep).succeeded());
  EXPECT_TRUE(sleep.delays.empty());
}

TEST(WaitFirst, TheDeadlineCountsAndShortensIt) {
  for (auto const& [first, delays] : {std::pair{5s, durations{5s, 5s}}, std::pair{15s, durations{10s}}}) {
    manual_clock const clock;
    advancing_sleeper sleep{clock};
    wait_first const waiter{within_10s(clock), first};
    auto const told = poll(waiter, [] { return status::pending; }, success_when(is_ready), sleep);
    EXPECT_EQ(sleep.delays, delays);
    EXPECT_EQ(told.elapsed(), 10s);
    EXPECT_EQ(told.attempts(), delays.size());
  }
}

TEST(WaitFirst, AStopInItMeansNoLookAtAll) {
  stopped_in_its_sleep s;
  script<status> op{{status::ready}};
  wait_first<every_second, 100ms> const waiter{};
  auto const told = poll(waiter, op, success_when(is_ready), s.sleep, s.stop);
  EXPECT_EQ(told.reason(), stop_reason::cancelled);
  EXPECT_EQ(told.attempts(), 0U);
  EXPECT_EQ(op.calls, 0U);
  EXPECT_FALSE(told.has_result());
#if ANEW_EXCEPTIONS
  EXPECT_THROW((void)told.result(), call_refused);
  EXPECT_THROW((void)poll_for(waiter, op, success_when(is_ready), s.sleep, s.stop), call_refused);
#endif
}

#if ANEW_EXCEPTIONS
TEST(WaitFirst, RefusesANegativeWait) { EXPECT_THROW((void)(wait_first{every_second{}, -1ns}), std::invalid_argument); }
#endif

static_assert(sizeof(wait_first<every_second, 100ms>) == 1);

// --- progress ---

TEST(Progress, IsToldBeforeEachWaitUntilTheTimeIsOver) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  auto const strategy = within_10s(clock);
  struct line {
    unsigned attempt;
    duration delay;
    duration remaining;
    std::size_t slept;
    bool operator==(line const&) const = default;
  };
  std::vector<line> lines;
  std::vector<status> states;
  auto const told = poll(
      strategy, [] { return status::pending; },
      acceptors{on_progress([&](poll_progress const& p) {
                  EXPECT_FALSE(p.failed);
                  EXPECT_TRUE(p.verdict.is_retry());
                  lines.push_back({p.attempt, p.delay, p.remaining.value(), sleep.delays.size()});
                }),
                success_when(is_ready),
                on_progress([&](poll_progress const&, status const* last) { states.push_back(*last); })},
      sleep);
  EXPECT_TRUE(told.timed_out());
  EXPECT_EQ(told.reason(), stop_reason::deadline);
  EXPECT_EQ(told.result(), status::pending);
  EXPECT_EQ(told.elapsed(), 10s);
  EXPECT_EQ(sleep.delays, (std::vector<duration>{3s, 3s, 4s}));
  EXPECT_EQ(told.attempts(), 4U);
  EXPECT_EQ(lines, (std::vector<line>{{1, 3s, 10s, 0}, {2, 3s, 7s, 1}, {3, 4s, 4s, 2}}));
  EXPECT_EQ(states, (std::vector{status::pending, status::pending, status::pending}));
}

TEST(Progress, OfYourOwnLoopHasNoResultAfterAFailedRequest) {
  std::vector<status const*> heard;
  auto const tells = on_progress([&](poll_progress const&, status const* last) { heard.push_back(last); });
  every_second const waiter;
  poll_machine call{waiter, acceptors{success_when(is_ready), retry_on_error(), tells}};
  (void)call.begin();
  (void)call.on_error(std::make_error_code(std::errc::timed_out));
  (void)call.on_wait_over();
  (void)call.on_attempt_timeout();
  (void)call.on_wait_over();
#if ANEW_EXCEPTIONS
  (void)call.on_exception(std::make_exception_ptr(not_found{}));
  (void)call.on_wait_over();
#else
  heard.push_back(nullptr);
#endif
  auto const found = status::pending;
  (void)call.on_outcome(found);
  EXPECT_EQ(heard, (std::vector<status const*>{nullptr, nullptr, nullptr, &found}));
}

TEST(PollMachine, AsksAnAcceptorOfErrorsThatTheLoopReports) {
  auto const gone = failure_on_error([](std::errc e) { return e == std::errc::no_such_device; });
  every_second const waiter;
  poll_machine call{waiter, acceptors{success_when(is_ready), gone, retry_on_error()}};
  (void)call.begin();
  EXPECT_EQ(call.on_outcome(status::pending), next_step::wait);
  (void)call.on_wait_over();
  EXPECT_EQ(call.on_error(std::errc::timed_out), next_step::wait);
  (void)call.on_wait_over();
  EXPECT_EQ(call.on_error(std::errc::no_such_device), next_step::finished);
}

#if ANEW_EXCEPTIONS
bool is_gone(not_found const& /*error*/) noexcept { return true; }

TEST(Poll, AFunctionThatDoesNotThrowIsAskedAboutExceptions) {
  int calls = 0;
  auto const op = [&calls]() -> status {
    if (++calls == 1) throw not_found{};
    return status::ready;
  };
  EXPECT_TRUE(
      poll(every_second{}, op, acceptors{success_when(is_ready), retry_on_error(is_gone)}, no_sleep).succeeded());
}

TEST(Progress, AFailedRequestIsOne) {
  int told = 0;
  int calls = 0;
  auto const op = [&calls]() -> status {
    if (++calls == 1) throw not_found{};
    return status::ready;
  };
  auto const out = poll(every_second{}, op,
                        acceptors{success_when(is_ready), retry_on_error<not_found>(),
                                  on_progress([&](poll_progress const& p, status const* last) {
                                    ++told;
                                    EXPECT_TRUE(p.failed);
                                    EXPECT_EQ(last, nullptr);
                                    EXPECT_FALSE(p.remaining.has_value());
                                  })},
                        no_sleep);
  EXPECT_TRUE(out.succeeded());
  EXPECT_EQ(told, 1);
}
#endif

TEST(Progress, WorksWithASleeperThatTakesTheStopToken) {
  support::flag_stop::state state;
  support::flag_stop const stop{state};
  int with_stop = 0;
  int told = 0;
  auto const sleep = [&](duration, support::flag_stop const&) { ++with_stop; };
  script<status> op{{status::pending, status::ready}};
  auto const out =
      poll(every_second{}, op, acceptors{success_when(is_ready), on_progress([&](poll_progress const&) { ++told; })},
           sleep, stop);
  EXPECT_TRUE(out.succeeded());
  EXPECT_EQ(with_stop, 1);
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace poll_poll_test
