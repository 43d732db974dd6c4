// SPDX-License-Identifier: BSL-1.0
// Observers that follow calls, over what the stories do not reach: names, the time on request, errors of every kind, hedges,
// polls and the interface. The order of events is that of observer_laws, which the stories check for every driver.
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/hedge.hpp"
#include "anew/machine.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/observer/fan_out.hpp"
#include "anew/poll.hpp"
#include "anew/testing/laws/observer.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/virtual.hpp"

namespace followed_calls_test {
namespace {

using namespace anew;
using namespace std::chrono_literals;
using story = std::vector<std::string>;

/// Writes what it hears; `~` is the end of the call's object.
struct writes {
  using role = roles::observer;
  story* to;
  struct ends {
    story* to;
    void operator()(int* number) const {
      to->push_back("~" + std::to_string(*number));
      delete number;
    }
  };
  using call_type = std::unique_ptr<int, ends>;
  [[nodiscard]] call_type on_call(call_event const& e) const {
    to->push_back(std::string{"call "} + (e.operation != nullptr ? e.operation : "-"));
    return {new int{static_cast<int>(to->size())}, ends{to}};
  }
  void on_begin(call_type& /*call*/, std::uint32_t number) const { to->push_back("begin " + std::to_string(number)); }
  void on_error(call_type& /*call*/, std::error_code const& e) const { to->push_back("code " + e.message()); }
  void on_error(call_type& /*call*/, std::exception const& e) const {
    to->push_back(std::string{"exception "} + e.what());
  }
  void on_error(call_type& /*call*/, unknown_exception const& /*e*/) const { to->emplace_back("unknown"); }
  void on_attempt(call_type& /*call*/, attempt_event const& e) const {
    to->push_back("attempt " + std::to_string(e.attempt));
  }
  void on_end(call_type& /*call*/, end_event const& e) const {
    to->push_back(std::string{"end "} + to_string(e.reason));
  }
};

auto const late = std::make_error_code(std::errc::timed_out);
auto const no_sleep = [](duration /*delay*/) {};

auto strategy_with(auto... more) {
  return compose(error_code_classifier{}, no_backoff{}, max_attempts<2>{}, std::move(more)...);
}

TEST(FollowedCalls, HaveTheOutermostNameOfTheirOperation) {
  story heard;
  auto const s = strategy_with(writes{&heard});
  auto const operation = [] { return std::error_code{}; };
  auto const name_of = [&](auto const& op) {
    heard.clear();
    EXPECT_FALSE(retry(s, op, no_sleep));
    return heard.front();
  };
  EXPECT_EQ(name_of(operation), "call -");
  EXPECT_EQ(name_of(named(operation, "read")), "call read");
  EXPECT_EQ(name_of(idempotent(named(operation, "read"))), "call read");
  EXPECT_EQ(name_of(named(idempotent(named(operation, "read")), "load")), "call load");
  static_assert(noexcept(detail::operation_name_of(operation)));

  heard.clear();
  auto op = named(operation, "engine");
  call_engine call{s, op};
  EXPECT_EQ(heard, story{"call engine"});
}

TEST(FollowedCalls, HearErrorsInTheirTypesAndEveryException) {
  auto const check = [&](char const* name, void (*fail)(), story const& expected) {
    auto const operation = [run = fail] { return run(), late; };
    auto const tail = [](story const& all) { return story(all.begin() + 1, all.end() - 1); };  // no call, no ~call
    story heard, outcome, behind;
    auto const s = strategy_with(writes{&heard});
    auto const try_all = [&](auto const& by, auto const& make) {
      try {
        make(by);
      } catch (...) {  // NOLINT(bugprone-empty-catch): it is the operation's
      }
    };
    try_all(s, [&](auto const& by) { (void)retry(by, operation, no_sleep); });
    EXPECT_EQ(tail(heard), expected) << name;
    try_all(strategy_with(writes{&outcome}), [&](auto const& by) { (void)retry_outcome(by, operation, no_sleep); });
    EXPECT_EQ(tail(outcome), expected) << name;
    virtual_strategy const own{strategy_with(writes{&behind})};
    auto const adjusted = anew::adjusted(own, max_attempts{3});
    virtual_strategy const twice{strategy_view{adjusted}};
    try_all(strategy_view{twice}, [&](auto const& by) { (void)retry(by, operation, no_sleep); });
    if (std::string_view{name} == "something else") std::erase(behind, "unknown");  // it has no type there
    story without = expected;
    if (std::string_view{name} == "something else") std::erase(without, "unknown");
    EXPECT_EQ(tail(behind), without) << name;
  };
  check("a code", [] {}, {"begin 1", "code " + late.message(), "attempt 1", "end not_idempotent"});
  check("an exception that the classifier names", [] { throw std::system_error{late, "it"}; },
        {"begin 1", "exception it: " + late.message(), "attempt 1", "end not_idempotent"});
  check("an exception that it does not name", [] { throw std::runtime_error{"gone"}; },
        {"begin 1", "exception gone", "attempt 1", "end unclassified"});
  check("something else", [] { throw 1; }, {"begin 1", "unknown", "attempt 1", "end unclassified"});
}

TEST(FollowedCalls, EndWithTheirObjectWhereAPartThrew) {
  story heard;
  auto const s = strategy_with(writes{&heard});
  auto const throws = [](duration /*delay*/) { throw std::logic_error{"the sleeper"}; };
  EXPECT_THROW((void)retry(s, idempotent([] { return late; }), throws), std::logic_error);
  EXPECT_EQ(heard, (story{"call -", "begin 1", "code " + late.message(), "attempt 1", "~1"}));
}

struct times {
  using role = roles::observer;
  std::vector<time_point>* to;
  struct call_type {};
  [[nodiscard]] call_type on_call(call_event const& /*e*/, time_point now) const {
    return to->push_back(now), call_type{};
  }
  void on_attempt(call_type& /*call*/, attempt_event const& /*e*/, time_point now) const { to->push_back(now); }
  void on_end(call_type& /*call*/, end_event const& /*e*/, time_point now) const { to->push_back(now); }
};

TEST(FollowedCalls, AskForTheTimeOnlyWhereAFunctionTakesIt) {
  anew::testing::manual_clock const clock;
  story heard;
  auto const succeeds = [] { return std::error_code{}; };
  EXPECT_FALSE(retry(strategy_with(writes{&heard}, clock), succeeds, no_sleep));
  EXPECT_EQ(clock.reads(), 0U);
  std::vector<time_point> at;
  auto const two = fan_out{writes{&heard}, times{&at}, times{&at}};
  EXPECT_FALSE(retry(strategy_with(two, clock), succeeds, no_sleep));
  EXPECT_EQ(at, std::vector(6, clock.peek()));
  EXPECT_EQ(clock.reads(), 2U) << "one reading for what happens at one time";
}

TEST(FollowedCalls, MoveWithTheirMachine) {
  story heard;
  auto const s = strategy_with(writes{&heard});
  {
    retry_machine first{s, idempotent_call};
    EXPECT_EQ(first.begin(), next_step::attempt);
    EXPECT_EQ(first.on_verdict(directive::retry(error_kind::timeout), late), next_step::wait);
    auto second = std::move(first);
    EXPECT_EQ(second.on_wait_over(), next_step::attempt);
  }
  EXPECT_EQ(heard, (story{"call -", "begin 1", "code " + late.message(), "attempt 1", "begin 2", "~1"}));
  heard.clear();
  virtual_strategy const own{s};
  {
    strategy_view const view{own};
    retry_machine first{view, idempotent_call};
    EXPECT_EQ(first.begin(), next_step::attempt);
    auto second = std::move(first);
    EXPECT_EQ(second.on_outcome(late), next_step::wait);
    second = retry_machine{view, idempotent_call};
    EXPECT_EQ(heard.back(), "~1");
  }
  EXPECT_EQ(heard, (story{"call -", "begin 1", "code " + late.message(), "attempt 1", "call -", "~1", "~5"}));
}

TEST(FollowedCalls, OfAHedgeTellAttemptsApartByTheirNumbers) {
  story heard;
  anew::testing::observer_laws const laws;
  auto const s = strategy_with(fan_out{writes{&heard}, laws});
  {
    hedge_after const hedging{0ms};
    hedge_machine call{s, hedging, idempotent_call};
    EXPECT_EQ(call.begin().start, 1U);
    EXPECT_EQ(call.on_time().start, 2U);
    EXPECT_FALSE(call.on_error(2, late).finished);
    EXPECT_TRUE(call.on_success(1).finished);
  }
  EXPECT_EQ(heard, (story{"call -", "begin 1", "begin 2", "code " + late.message(), "attempt 2", "attempt 1",
                          "end succeeded", "~1"}));
  EXPECT_TRUE(laws.hold());
}

TEST(FollowedCalls, OfAPollHearFailedRequestsAlone) {
  story heard;
  auto const s = strategy_with(writes{&heard});
  auto const ready = acceptors{success_when([](int n) { return n == 2; }),
                               retry_on_error([](std::runtime_error const&) { return true; })};
  int made = 0;
  EXPECT_FALSE(poll(
                   s,
                   [&]() -> int {
                     if (++made == 2) throw std::runtime_error{"gone"};
                     return made;
                   },
                   ready, no_sleep)
                   .succeeded());
  EXPECT_EQ(heard,
            (story{"call -", "begin 1", "attempt 1", "begin 2", "exception gone", "attempt 2", "end attempts", "~1"}));
}

/// A value that an acceptor calls a failed request is told as its error, by the call that blocks and by your own loop.
TEST(FollowedCalls, APollTellsTheValueOfARequestThatFailed) {
  struct hears_values {
    using role = roles::observer;
    std::vector<int>* heard;
    struct call_type {};
    [[nodiscard]] static call_type on_call(call_event const& /*e*/) { return {}; }
    void on_error(call_type& /*call*/, int value) const { heard->push_back(value); }
  };
  std::vector<int> by_poll, by_machine;
  auto const waiter = [](std::vector<int>& heard) {
    return compose(constant_backoff<1s>{}, no_jitter{}, max_attempts<9>{}, retry_all{}, hears_values{&heard});
  };
  auto const accept = acceptors{success_when([](int n) { return n == 4; }),
                                retry_when([](int n) { return n % 2 == 0; }, error_kind::throttling)};
  int made = 0;
  EXPECT_TRUE(poll(waiter(by_poll), [&] { return ++made; }, accept, no_sleep).succeeded());
  auto const strategy = waiter(by_machine);
  poll_machine call{strategy, accept};
  made = 0;
  for (auto step = call.begin(); step != next_step::finished;) {
    step = step == next_step::wait ? call.on_wait_over() : call.on_outcome(++made);
  }
  EXPECT_EQ(by_poll, std::vector{2});
  EXPECT_EQ(by_machine, by_poll);
}

/// Each row makes one mistake that a driver could make, and the law that forbids it fails.
TEST(ObserverLaws, FailForEachMistake) {
  using laws = anew::testing::observer_laws;
  attempt_event const failed{1, directive::fail(), true}, ok{1, directive::succeed(), true};
  static auto const& fails = failed;
  static auto const& succeeds = ok;
  auto const breaks = [&](char const* broken, void (*tell)(laws const&, laws::call_type&)) {
    laws const told;
    {
      auto call = told.on_call({nullptr});
      EXPECT_EQ(std::string{told.hold().message()}, "1 calls were never destroyed");
      tell(told, call);
    }
    EXPECT_NE(std::string{told.hold().message()}.find(broken), std::string::npos) << broken << told.hold().message();
  };
  breaks("attempts did not begin", [](laws const& o, laws::call_type& c) { o.on_begin(c, 2); });
  breaks("without an attempt under way", [](laws const& o, laws::call_type& c) { o.on_error(c, 1); });
  breaks("not under way", [](laws const& o, laws::call_type& c) { o.on_attempt(c, fails); });
  breaks("two errors", [](laws const& o, laws::call_type& c) { o.on_begin(c, 1), o.on_error(c, 1), o.on_error(c, 1); });
  breaks("with an error succeeded",
         [](laws const& o, laws::call_type& c) { o.on_begin(c, 1), o.on_error(c, 1), o.on_attempt(c, succeeds); });
  breaks("another number", [](laws const& o, laws::call_type& c) { o.on_retry(c, {3, {}, {}, {}}); });
  breaks("other attempts", [](laws const& o, laws::call_type& c) { o.on_end(c, {1, {}}); });
  breaks("did not end", [](laws const& o, laws::call_type& c) { o.on_begin(c, 1), o.on_end(c, {1, {}}); });
  breaks("after the end", [](laws const& o, laws::call_type& c) { o.on_end(c, {0, {}}), o.on_end(c, {0, {}}); });
}

}  // namespace
}  // namespace followed_calls_test
