// SPDX-License-Identifier: BSL-1.0
// What a strategy behind the virtual interface reads of what an operation returns, and what it is told of a look.
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/classifier/idempotent_only.hpp"
#include "anew/policies/classifier/retry_on.hpp"
#include "anew/policies/gate/circuit_breaker.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/poll.hpp"
#include "anew/virtual.hpp"

#include "failed_answer.hpp"
#include "names.hpp"
#include "rejection.hpp"

namespace virtual_returned_test {
namespace {

using namespace anew;

using support::failed_answer, support::rejection_of;
constexpr auto accepted = "accepted";

unsigned attempts(retry_strategy const& strategy, auto&& operation) {
  return retry_outcome(strategy_view{strategy}, operation, no_sleep).attempts();
}
template <class Classifier, class... Errors>
using reading = virtual_strategy<anew::strategy<Classifier>, Errors...>;

struct mine {
  int number = 0;
};

TEST(ReturnedErrors, OfUsualResults) {
  reading<retry_all> const all;
  EXPECT_EQ(attempts(all, [] { return false; }), 3U);
  EXPECT_EQ(attempts(all, [] { return true; }), 1U);
  EXPECT_EQ(attempts(all, [] { return std::optional<int>{}; }), 3U);
  EXPECT_EQ(attempts(all, [] { return failed_answer<mine>{}; }), 3U) << "everything, whatever its type";
  EXPECT_EQ(attempts(all, [] { return failed_answer<std::logic_error>{std::logic_error{""}}; }), 1U);

  reading<error_code_classifier> const codes;
  EXPECT_EQ(attempts(codes, [] { return std::make_error_code(std::errc::connection_refused); }), 3U);
  EXPECT_EQ(attempts(codes, [] { return std::make_error_code(std::errc::permission_denied); }), 1U);

  reading<http_status_classifier<>> const statuses;
  EXPECT_EQ(attempts(statuses, [] { return failed_answer<int>{503}; }), 3U);
  EXPECT_EQ(attempts(statuses, [] { return failed_answer<int>{404}; }), 1U);

  reading<idempotent_only<retry_all>> const careful;
  EXPECT_EQ(attempts(careful, [] { return false; }), 1U);
  EXPECT_EQ(attempts(careful, idempotent([] { return false; })), 3U);
}

TEST(ReturnedErrors, NoOpinionIsFinalAsInAComposedCall) {
  reading<retry_if<decltype([](mine const&) { return false; })>> const undecided;
  auto const fails = [] { return failed_answer<mine>{mine{}}; };
  EXPECT_EQ(retry_outcome(undecided.strategy(), fails).reason(), stop_reason::not_retryable);
  EXPECT_EQ(retry_outcome(strategy_view{undecided}, fails).reason(), stop_reason::not_retryable);
}

TEST(ReturnedErrors, OfTheParameterOfAPredicate) {
  auto const is_odd = [](mine const& m) { return m.number % 2 == 1; };
  virtual_strategy const strategy{compose(retry_if{is_odd})};
  EXPECT_EQ(attempts(strategy, [] { return failed_answer<mine>{{1}}; }), 3U);
  EXPECT_EQ(attempts(strategy, [] { return failed_answer<mine>{{2}}; }), 1U);
  EXPECT_EQ(attempts(strategy, [] { return mine{1}; }), 3U) << "a result that carries no error";
  EXPECT_EQ(attempts(strategy, [] { return mine{2}; }), 1U);
}

/// A class of this name declares nothing by it.
struct reads {
  using role = roles::classifier;
  using catches = catch_list<>;
  static directive classify(mine const& m) { return m.number == 1 ? directive::retry() : directive::fail(); }
};
TEST(ReturnedErrors, AClassifierMayBeCalledReads) {
  virtual_strategy<decltype(compose(reads{})), mine> const strategy{};
  EXPECT_EQ(attempts(strategy, [] { return failed_answer<mine>{{1}}; }), 3U);
  EXPECT_EQ(attempts(strategy, [] { return failed_answer<mine>{{2}}; }), 1U);
}

// Its body is an error of the compiler's for every type without a number.
TEST(ReturnedErrors, AGenericPredicateIsAskedAboutTheNamedTypesAlone) {
  auto const is_odd = [](auto const& m) { return m.number % 2 == 1; };
  using strategy = decltype(compose(retry_if{is_odd}));
  virtual_strategy<strategy, mine> const named{strategy{retry_if{is_odd}}};
  EXPECT_EQ(attempts(named, [] { return failed_answer<mine>{{1}}; }), 3U);
  EXPECT_THROW(attempts(named, [] { return false; }), std::invalid_argument);
}

struct response {
  int status_;
  [[nodiscard]] int status() const { return status_; }
};

TEST(ReturnedResults, AreReadWhereTheirTypeIsNamed) {
  reading<http_status_classifier<>, response> const strategy;
  EXPECT_TRUE(strategy.wishes().results);
  EXPECT_EQ(attempts(strategy, [] { return response{503}; }), 3U);
  EXPECT_EQ(attempts(strategy, [] { return response{200}; }), 1U);
  EXPECT_EQ(attempts(strategy, [] { return std::optional{response{503}}; }), 3U) << "in what may carry an error too";
  EXPECT_EQ(attempts(strategy, [] { return std::string{"a value"}; }), 1U);
  EXPECT_FALSE(reading<retry_all>{}.wishes().results) << "nobody is asked about a success";
}

struct by_itself {
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::yes; }
};

TEST(ReturnedErrors, WhatNobodyReadsIsSaid) {
  reading<error_code_classifier> const strategy;
  EXPECT_THAT(
      rejection_of([&] { attempts(strategy, [] { return failed_answer<mine>{}; }); }),
      ::testing::AllOf(::testing::HasSubstr("anew::strategy_view requires a strategy that reads the "
                                            "operation's result; the strategy does not read "),
                       ::testing::HasSubstr("mine"), ::testing::HasSubstr("anew::virtual_strategy<Strategy, E>"),
                       ::testing::EndsWith("anew::throws_only(operation) if every value is a success")));
  EXPECT_NE(rejection_of([&] { attempts(strategy, [] { return failed_answer<by_itself>{}; }); }), accepted)
      << "its own word counts for nothing where the classifier does not ask it";
  EXPECT_NE(rejection_of([&] { attempts(strategy, [] { return false; }); }), accepted);
  enum class color { red };
  EXPECT_NE(rejection_of([&] { attempts(strategy, [] { return color::red; }); }), accepted) << "it may mean either";
  auto const by_another = retry_outcome(basic_strategy_view{strategy, retry_all{}}, [] { return false; }, no_sleep);
  EXPECT_EQ(by_another.attempts(), 3U) << "a classifier at the call";
}

TEST(ReturnedResults, ANegativeNumberMayMeanAFailure) {
  virtual_strategy<anew::strategy<>> const by_default;
  EXPECT_EQ(retry(strategy_view{by_default}, [] { return 42; }, no_sleep), 42);
  EXPECT_THAT(rejection_of([&] { attempts(by_default, [] { return -1; }); }),
              ::testing::HasSubstr("does not read int"));
  EXPECT_THAT(rejection_of([&] { attempts(by_default, [] { return false; }); }),
              ::testing::HasSubstr("does not read a bool that is false"));
  EXPECT_NE(rejection_of([&] { attempts(by_default, [] { return -1L; }); }), accepted);
  EXPECT_EQ(retry(strategy_view{by_default}, throws_only([] { return -1; }), no_sleep), -1);
  reading<retry_on<std::runtime_error>> const throwing;  // so a number is a value
  EXPECT_EQ(retry(strategy_view{throwing}, [] { return -1; }, no_sleep), -1);
  EXPECT_EQ(retry(strategy_view{throwing}, [] { return -1LL; }, no_sleep), -1);
  auto const is_negative = [](int n) { return n < 0; };
  virtual_strategy const read{compose(retry_while{is_negative})};
  EXPECT_EQ(attempts(read, [] { return -1; }), 3U);
}

#if defined(__cpp_rtti)
TEST(ReturnedErrors, AnExceptionByValueIsReadByItsClause) {
  struct late : std::system_error {
    late() : std::system_error{std::make_error_code(std::errc::timed_out)} {}
  };
  reading<error_code_classifier> const strategy;
  EXPECT_EQ(attempts(strategy, idempotent([] { return failed_answer<late>{}; })), 3U);
}
#endif

/// Written by a user: believes what says something of itself.
class own : public retry_strategy {
  retry_token on_acquire() const override { return issue({}); }
  retry_token on_refresh(retry_token&& token, failure const& what) const override {
    if (what.safety == retry_safety::no || token.attempt() == 4) return refuse(stop_reason::attempts);
    return issue({.attempt = token.attempt() + 1});
  }
};
class own_reader final : public own {
 public:
  mutable std::vector<look_result> looks;

 private:
  std::optional<directive> on_error(error_ref const& error) const override {
    if (auto const* m = error.as<mine>()) return m->number > 0 ? directive::retry(failure{}) : directive::fail();
    return std::nullopt;
  }
  std::optional<directive> on_result(error_ref const& result) const override { return on_error(result); }
  retry_token on_look(retry_token&& token, failure const& /*what*/, look_result found) const override {
    looks.push_back(found);
    return issue({.attempt = token.attempt() + 1});
  }
};

TEST(ReturnedErrors, OfAStrategyOfYourOwn) {
  own const plain;
  EXPECT_EQ(attempts(plain, [] { return failed_answer<by_itself>{}; }), 4U);
  EXPECT_NE(rejection_of([&] { attempts(plain, [] { return failed_answer<mine>{}; }); }), accepted);
  own_reader const reader;
  EXPECT_EQ(attempts(reader, [] { return failed_answer<mine>{{1}}; }), 4U);
  EXPECT_EQ(attempts(reader, [] { return failed_answer<mine>{{0}}; }), 1U);
  EXPECT_EQ(attempts(reader, [] { return mine{1}; }), 4U);
}

TEST(Looks, AreToldAsWhatTheyFound) {
  own_reader const reader;
  int looks = 0;
  auto const accept = acceptors{success_when([](int i) { return i == 4; }),
                                retry_when([](int i) { return i == 2; }, error_kind::throttling)};
  EXPECT_TRUE(poll(strategy_view{reader}, [&] { return ++looks; }, accept, no_sleep).succeeded());
  EXPECT_EQ(reader.looks, (std::vector{look_result::pending, look_result::failed, look_result::pending}));
  own const plain;
  auto const told =
      poll(strategy_view{plain}, [] { return false; }, success_when([](bool ready) { return ready; }), no_sleep);
  EXPECT_EQ(told.attempts(), 4U) << "each counts as a failed attempt";
}

TEST(Looks, NotReadyIsFree) {
  using waiter = anew::strategy<token_bucket<500>, circuit_breaker<5, 30s>, max_attempts<100>>;
  virtual_strategy<waiter> const strategy;
  int looks = 0;
  auto const told = poll(
      strategy_view{strategy}, [&] { return ++looks == 50; }, success_when([](bool ready) { return ready; }), no_sleep);
  EXPECT_EQ(told.reason(), stop_reason::succeeded);
  EXPECT_EQ(told.attempts(), 50U);
  EXPECT_EQ(strategy.strategy().quota().balance(), 500U);
  EXPECT_EQ(strategy.strategy().gate().state(), breaker_state::closed);
}

TEST(Looks, ATokenIsConsumedAsByEveryOtherFunction) {
  virtual_strategy<anew::strategy<>> const strategy;
  auto token = strategy.acquire_initial_token();
  auto const next = strategy.try_refresh_polling_token(std::move(token), failure{}, look_result::pending);
  EXPECT_TRUE(next.has_value());
  EXPECT_THAT(rejection_of(
                  [&] { (void)strategy.try_refresh_polling_token(std::move(token), failure{}, look_result::pending); }),
              ::testing::HasSubstr("anew::retry_strategy::refresh_polling_token requires an unused token"));
}

TEST(NestedViews, HaveOneRoomForTheScope) {
  using guarded = anew::strategy<nesting_guard<>, token_bucket<100>>;
  virtual_strategy<guarded> const innermost;
  virtual_strategy const middle{strategy_view{innermost}};
  virtual_strategy const outer{basic_strategy_view{middle, retry_all{}}};
  EXPECT_EQ(outer.describe(), innermost.describe());
  auto inside = stop_reason::succeeded;
  unsigned calls = 0;
  auto const result = retry(
      strategy_view{outer},
      [&] {
        auto told = retry_outcome(strategy_view{outer}, [&] { return ++calls == 0; }, no_sleep);
        inside = told.reason();
        return std::move(told).result();
      },
      no_sleep);
  EXPECT_FALSE(result);
  EXPECT_EQ(inside, stop_reason::nested);
  EXPECT_EQ(calls, 3U);
  EXPECT_EQ(innermost.strategy().quota().balance(), 100U - 28U);
}

TEST(NestedViews, AClassifierInTheMiddleReads) {
  reading<http_status_classifier<>> const inner;
  virtual_strategy const outer{basic_strategy_view{inner, retry_all{}}};
  EXPECT_EQ(attempts(outer, [] { return false; }), 3U);
  EXPECT_FALSE(outer.wishes().results);
  virtual_strategy const passed_on{strategy_view{inner}};
  EXPECT_EQ(attempts(passed_on, [] { return failed_answer<int>{503}; }), 3U);
  EXPECT_NE(rejection_of([&] { attempts(passed_on, [] { return false; }); }), accepted);
}

// What a machine makes of an attempt that it was told is late depends on the classifier, which is another's.
TEST(ReturnedErrors, ALateAttemptIsACodeWhereCodesAreRead) {
  reading<retry_info_classifier> const reads_none;
  strategy_view const view{reads_none};
  retry_machine call{view, idempotent_call};
  ASSERT_EQ(call.begin(), next_step::attempt);
  EXPECT_EQ(call.on_attempt_timeout(), next_step::wait);
  reading<retry_on_codes<std::errc::connection_refused>> const reads_others;
  strategy_view const other{reads_others};
  retry_machine final_call{other, idempotent_call};
  ASSERT_EQ(final_call.begin(), next_step::attempt);
  EXPECT_EQ(final_call.on_attempt_timeout(), next_step::finished);
}

}  // namespace
}  // namespace virtual_returned_test
