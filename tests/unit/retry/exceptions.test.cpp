// SPDX-License-Identifier: BSL-1.0
// Operations that fail by exceptions: who catches what, and that the last one comes back as it was thrown.
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drive/call_engine.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "driver_support.hpp"

namespace retry_exceptions_test {
namespace {

using anew::testing::recording_sleeper;

template <class... Exceptions>
using retry_three_times = anew::strategy<anew::retry_on<Exceptions...>, anew::no_backoff, anew::max_attempts<3>>;
using eager = anew::strategy<anew::retry_all, anew::no_backoff, anew::max_attempts<3>>;

template <int Index>
struct numbered : std::runtime_error {
  numbered() : std::runtime_error{std::to_string(Index)} {}
};

/// Counts its life: an exception must not be thrown twice, or copied on its way.
struct counted : std::runtime_error {
  static inline int made = 0;
  static inline int alive = 0;
  static void reset() { made = alive = 0; }
  explicit counted(int n) : std::runtime_error{"counted"}, number{n} { ++made, ++alive; }
  counted(counted const& other) : std::runtime_error{other}, number{other.number} { ++made, ++alive; }
  counted& operator=(counted const&) = default;
  ~counted() override { --alive; }
  int number;
};
struct derived_counted : counted {
  using counted::counted;
};

TEST(RetryExceptions, VoidAfterFailures) {
  int calls = 0;
  recording_sleeper sleep;
  auto const operation = [&] {
    if (++calls < 3) throw std::runtime_error{"not yet"};
  };
  static_assert(std::is_void_v<decltype(anew::retry(eager{}, operation, sleep))>);
  anew::retry(retry_three_times<std::runtime_error>{}, operation, sleep);
  EXPECT_EQ(calls, 3);
}

TEST(RetryExceptions, ReferenceAfterFailures) {
  int calls = 0;
  std::string kept = "kept";
  recording_sleeper sleep;
  auto const operation = [&](anew::attempt const& a) -> std::string& {
    ++calls;
    if (!a.is_retry()) throw std::runtime_error{"not yet"};
    return kept;
  };
  EXPECT_EQ(&anew::retry(retry_three_times<std::runtime_error>{}, operation, sleep), &kept);
  EXPECT_EQ(calls, 2);
}

TEST(RetryExceptions, MoveOnlyResultWithoutDefaultConstructor) {
  struct only_moved {
    explicit only_moved(int v) : value{std::make_unique<int>(v)} {}
    std::unique_ptr<int> value;
  };
  int calls = 0;
  recording_sleeper sleep;
  auto const end = anew::retry(
      eager{},
      [&] {
        if (++calls < 3) throw 1;
        return only_moved{calls};
      },
      sleep);
  EXPECT_EQ(*end.value, 3);
}

TEST(RetryExceptions, DerivedExceptionIsCaughtByItsBaseAndKeepsItsType) {
  int calls = 0;
  recording_sleeper sleep;
  EXPECT_THROW((void)anew::retry(
                   retry_three_times<std::runtime_error>{},
                   [&] { return ++calls, throw std::system_error{std::make_error_code(std::errc::io_error)}; }, sleep),
               std::system_error);
  EXPECT_EQ(calls, 3);
}

TEST(RetryExceptions, ExceptionsThatAreNoClasses) {
  recording_sleeper sleep;
  int calls = 0;
  EXPECT_THROW((void)anew::retry(retry_three_times<int, char const*>{}, [&] { return ++calls, throw 1; }, sleep), int);
  EXPECT_EQ(calls, 3);
  calls = 0;
  EXPECT_THROW(
      anew::retry(retry_three_times<int, char const*>{}, [&] { return ++calls, throw "text"; }, sleep), char const*);
  EXPECT_EQ(calls, 3);
  calls = 0;
  EXPECT_THROW(
      (void)anew::retry(retry_three_times<int, char const*>{}, [&] { return ++calls, throw 1L; }, sleep), long);
  EXPECT_EQ(calls, 1);
}

template <int Index, class Strategy>
int calls_until_gone(Strategy const& strategy) {
  int calls = 0;
  recording_sleeper sleep;
  EXPECT_THROW((void)anew::retry(strategy, [&] { return ++calls, throw numbered<Index>{}; }, sleep), numbered<Index>);
  return calls;
}

TEST(RetryExceptions, OneTwoAndEightTypes) {
  using one = retry_three_times<numbered<0>>;
  EXPECT_EQ(calls_until_gone<0>(one{}), 3);
  EXPECT_EQ(calls_until_gone<1>(one{}), 1);
  using two = retry_three_times<numbered<0>, numbered<1>>;
  EXPECT_EQ(calls_until_gone<0>(two{}), 3);
  EXPECT_EQ(calls_until_gone<1>(two{}), 3);
  EXPECT_EQ(calls_until_gone<2>(two{}), 1);
  using eight = retry_three_times<numbered<0>, numbered<1>, numbered<2>, numbered<3>, numbered<4>, numbered<5>,
                                  numbered<6>, numbered<7>>;
  EXPECT_EQ(calls_until_gone<0>(eight{}), 3);
  EXPECT_EQ(calls_until_gone<1>(eight{}), 3);
  EXPECT_EQ(calls_until_gone<2>(eight{}), 3);
  EXPECT_EQ(calls_until_gone<3>(eight{}), 3);
  EXPECT_EQ(calls_until_gone<4>(eight{}), 3);
  EXPECT_EQ(calls_until_gone<5>(eight{}), 3);
  EXPECT_EQ(calls_until_gone<6>(eight{}), 3);
  EXPECT_EQ(calls_until_gone<7>(eight{}), 3);
  EXPECT_EQ(calls_until_gone<8>(eight{}), 1);
}

/// Says through which clause it was asked.
struct clauses {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<derived_counted, counted, std::exception>;
  std::vector<std::string>* heard;
  std::vector<void const*>* addresses;
  anew::directive classify(derived_counted const& e) const { return hear("derived", &e); }
  anew::directive classify(counted const& e) const { return hear("base", &e); }
  anew::directive classify(std::exception const& e) const { return hear("exception", &e); }
  anew::directive classify(anew::unknown_exception /*e*/) const { return hear("unknown", nullptr); }
  anew::directive hear(char const* what, void const* address) const {
    heard->emplace_back(what);
    addresses->push_back(address);
    return anew::directive::retry(anew::error_kind::transient);
  }
};

TEST(RetryExceptions, ClausesAreTriedInTheirOrder) {
  std::vector<std::string> heard;
  std::vector<void const*> addresses;
  auto const strategy = anew::compose(clauses{&heard, &addresses}, anew::no_backoff{}, anew::max_attempts<4>{});
  int calls = 0;
  recording_sleeper sleep;
  counted::reset();
  EXPECT_THROW((void)anew::retry(
                   strategy,
                   [&] {
                     switch (++calls) {
                       case 1: throw counted{1};
                       case 2: throw derived_counted{2};
                       case 3: throw std::runtime_error{"three"};
                       default: throw 4;
                     }
                   },
                   sleep),
               int);
  EXPECT_EQ(heard, (std::vector<std::string>{"base", "derived", "exception", "unknown"}));
}

TEST(RetryExceptions, NothingIsThrownTwiceOrCopied) {
  std::vector<std::string> heard;
  std::vector<void const*> addresses;
  auto const strategy = anew::compose(clauses{&heard, &addresses}, anew::no_backoff{}, anew::max_attempts<3>{});
  counted::reset();
  int calls = 0;
  recording_sleeper sleep{[] { EXPECT_EQ(counted::alive, 0) << "a rejected exception is gone before the sleep"; }};
  void const* address = nullptr;
  try {
    anew::retry(strategy, [&] { throw derived_counted{++calls}; }, sleep);
  } catch (derived_counted const& e) {
    EXPECT_EQ(e.number, 3);
    address = &e;
  }
  EXPECT_EQ(sleep.delays.size(), 2U);
  EXPECT_EQ(counted::made, 3) << "one object for each throw of the operation's";
  EXPECT_EQ(counted::alive, 0);
  ASSERT_EQ(addresses.size(), 3U);
  EXPECT_EQ(addresses.back(), address) << "the object that the classifier saw is the one that comes back";
}

TEST(RetryExceptions, OutcomeKeepsTheSameObject) {
  std::vector<std::string> heard;
  std::vector<void const*> addresses;
  auto const strategy = anew::compose(clauses{&heard, &addresses}, anew::no_backoff{}, anew::max_attempts<2>{});
  counted::reset();
  {
    recording_sleeper sleep;
    auto told = anew::retry_outcome(strategy, [] { throw counted{7}; }, sleep);
    EXPECT_FALSE(told.has_result());
    EXPECT_EQ(told.reason(), anew::stop_reason::attempts);
    ASSERT_NE(told.exception(), nullptr);
    for (int i = 0; i != 2; ++i) {
      try {
        static_cast<void>(told.result());
        ADD_FAILURE() << "nothing was thrown";
      } catch (counted const& e) {
        EXPECT_EQ(&e, addresses.back());
      }
    }
    EXPECT_THROW(static_cast<void>(std::move(told).result()), counted);
  }
  EXPECT_EQ(counted::made, 2);
  EXPECT_EQ(counted::alive, 0);
}

TEST(RetryExceptions, RetryAllCatchesEverything) {
  int calls = 0;
  recording_sleeper sleep;
  auto const operation = [&]() -> int {
    switch (++calls) {
      case 1: throw 1;
      case 2: throw std::string{"two"};
      default: return calls;
    }
  };
  EXPECT_EQ(anew::retry(eager{}, anew::throws_only(operation), sleep), 3);
}

TEST(RetryExceptions, PredicateReadsTheException) {
  auto const transient = [](std::system_error const& e) { return e.code() == std::errc::timed_out; };
  using classifier = anew::retry_if<decltype(transient), std::system_error>;
  auto const strategy = anew::compose(classifier{transient}, anew::no_backoff{}, anew::max_attempts<5>{});
  int calls = 0;
  recording_sleeper sleep;
  auto const operation = [&] {
    throw std::system_error{std::make_error_code(++calls < 3 ? std::errc::timed_out : std::errc::permission_denied)};
  };
  EXPECT_THROW((void)anew::retry(strategy, operation, sleep), std::system_error);
  EXPECT_EQ(calls, 3);
}

/// Exceptions that say for themselves.
struct speaking : std::runtime_error, anew::retry_info {
  explicit speaking(anew::retry_safety s, std::optional<anew::duration> h = std::nullopt, bool t = false)
      : std::runtime_error{"speaking"}, safety{s}, hint{h}, throttle{t} {}
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return safety; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const override { return hint; }
  [[nodiscard]] bool is_throttle() const override { return throttle; }
  anew::retry_safety safety;
  std::optional<anew::duration> hint;
  bool throttle;
};

using by_default = anew::strategy<anew::no_backoff, anew::server_hint<anew::long_hint::stop, std::chrono::seconds{5}>>;

anew::outcome<anew::detail::void_result> end_of(speaking const& error, recording_sleeper& sleep) {
  return anew::retry_outcome(by_default{}, [&] { throw error; }, sleep);
}

TEST(RetryExceptions, ExceptionThatSaysNo) {
  recording_sleeper sleep;
  auto const told = end_of(speaking{anew::retry_safety::no}, sleep);
  EXPECT_EQ(told.attempts(), 1U);
  EXPECT_EQ(told.reason(), anew::stop_reason::not_retryable);
}

TEST(RetryExceptions, ExceptionThatSaysMaybe) {
  recording_sleeper sleep;
  auto const told = end_of(speaking{anew::retry_safety::maybe}, sleep);
  EXPECT_EQ(told.attempts(), 1U);
  EXPECT_EQ(told.reason(), anew::stop_reason::not_idempotent);
  int calls = 0;
  auto const declared = anew::idempotent([&] { return ++calls, throw speaking{anew::retry_safety::maybe}; });
  auto copy = declared;
  EXPECT_EQ(anew::retry_outcome(by_default{}, copy, sleep).attempts(), 3U);
  EXPECT_EQ(calls, 3);
}

TEST(RetryExceptions, ExceptionThatSaysYesWithAHint) {
  recording_sleeper sleep;
  auto const told = end_of(speaking{anew::retry_safety::yes, std::chrono::seconds{2}}, sleep);
  EXPECT_EQ(told.attempts(), 3U);
  EXPECT_EQ(sleep.delays, std::vector<anew::duration>(2, std::chrono::seconds{2}));
  EXPECT_EQ(told.last_hint(), anew::duration{std::chrono::seconds{2}});
}

TEST(RetryExceptions, ExceptionThatSaysThrottledIsToldToTheNextAttempt) {
  recording_sleeper sleep;
  std::optional<anew::error_kind> previous;
  EXPECT_THROW((void)anew::retry(
                   by_default{},
                   [&](anew::attempt& a) {
                     previous = a.previous_error();
                     throw speaking{anew::retry_safety::yes, std::nullopt, true};
                   },
                   sleep),
               speaking);
  EXPECT_EQ(previous, anew::error_kind::throttling);
}

TEST(RetryExceptions, ExceptionThatSaysNothingIsFinalByDefault) {
  int calls = 0;
  EXPECT_THROW((void)anew::retry(by_default{}, [&] { return ++calls, throw std::runtime_error{"?"}; }),
               std::runtime_error);
  EXPECT_EQ(calls, 1);
}

/// A classifier that has nothing to do with exceptions: they pass, in the first attempt and in later ones.
struct false_is_transient {
  using role = anew::roles::classifier;
  static anew::directive classify(std::false_type /*e*/) { return anew::directive::retry(anew::error_kind::transient); }
};

TEST(RetryExceptions, ClassifierWithoutExceptionsLetsThemPass) {
  anew::strategy<false_is_transient, anew::no_backoff, anew::token_bucket<100>> const strategy;
  for (int bad = 1; bad <= 3; ++bad) {
    int calls = 0;
    recording_sleeper sleep;
    auto const operation = [&]() -> bool {
      if (++calls == bad) throw counted{bad};
      return false;
    };
    EXPECT_THROW((void)anew::retry(strategy, operation, sleep), counted);
    EXPECT_EQ(calls, bad);
    auto const told = (calls = 0, anew::retry_outcome(strategy, operation, sleep));
    EXPECT_EQ(told.reason(), anew::stop_reason::unclassified);
    EXPECT_EQ(told.attempts(), static_cast<std::uint32_t>(bad));
    EXPECT_NE(told.exception(), nullptr);
  }
}

/// A classifier that takes an exception for a success: there is no result to return.
struct success_by_exception {
  using role = anew::roles::classifier;
  template <class E>
  static anew::directive classify(E const& /*e*/) {
    return anew::directive::succeed();
  }
};

TEST(RetryExceptions, ExceptionIsNeverASuccess) {
  auto const strategy = anew::strategy<success_by_exception, anew::no_backoff>{};
  auto const told = anew::retry_outcome(strategy, [] { throw 3; });
  EXPECT_EQ(told.reason(), anew::stop_reason::not_retryable);
  EXPECT_THROW((void)anew::retry(strategy, [] { throw 3; }), int);
}

/// An error value may be a success, say "exists already".
TEST(RetryExceptions, ErrorValueMayBeASuccess) {
  anew::strategy<success_by_exception, anew::no_backoff, anew::token_bucket<100>> const strategy;
  auto const told = anew::retry_outcome(strategy, [] { return std::make_error_code(std::errc::file_exists); });
  EXPECT_EQ(told.reason(), anew::stop_reason::succeeded);
  EXPECT_EQ(told.attempts(), 1U);
}

TEST(RetryExceptions, ExceptionOfAnOuterHandlerStaysCurrent) {
  recording_sleeper sleep;
  int calls = 0;
  try {
    throw std::logic_error{"outer"};
  } catch (std::logic_error const&) {
    EXPECT_EQ(anew::retry(
                  eager{},
                  [&] {
                    if (++calls < 3) throw 1;
                    return static_cast<unsigned>(calls);
                  },
                  sleep),
              3U);
    try {
      throw;
    } catch (std::logic_error const& e) {
      EXPECT_STREQ(e.what(), "outer");
    }
  }
}

TEST(RetryExceptions, AnEmptyOperationIsRefusedBeforeTheFirstAttempt) {
  recording_sleeper sleep;
  std::function<unsigned()> empty;
  unsigned (*const null)() = nullptr;
  EXPECT_THROW((void)anew::retry(eager{}, empty, sleep), std::invalid_argument);
  EXPECT_THROW((void)anew::retry(eager{}, anew::idempotent(empty), sleep), std::invalid_argument);
  EXPECT_THROW((void)anew::retry(eager{}, null, sleep), std::invalid_argument);
  EXPECT_THROW((void)anew::retry_outcome(eager{}, empty, sleep), std::invalid_argument);
  eager const strategy{};
  EXPECT_THROW((anew::call_engine{strategy, empty}), std::invalid_argument);
  EXPECT_TRUE(sleep.delays.empty());
  empty = [] { return 7U; };
  EXPECT_EQ(anew::retry(eager{}, empty, sleep), 7U);
}

}  // namespace
}  // namespace retry_exceptions_test
