// SPDX-License-Identifier: BSL-1.0
// What happens when a part that is not the operation throws: that exception escapes, it is never taken for the
// operation's, the quota is settled, and nothing stays behind.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "driver_support.hpp"

namespace retry_throwing_parts_test {
namespace {

using support::audited_quota;
using support::flag_stop;
using support::tracked;

/// What a part throws. Not an error of the operation's, so nobody may retry it.
struct part_error {
  int at;
};

enum class part : std::uint8_t { none, classifier, on_attempt, on_retry, on_end, sleeper };

/// Which part throws, and at its how-maniest call.
struct fault {
  part who = part::none;
  int when = 0;
  int seen = 0;
  void pass(part self) {
    if (self == who && ++seen == when) throw part_error{when};
  }
};

struct classifier {
  using role = anew::roles::classifier;
  fault* plan;
  template <class E>
  anew::directive classify(E const& /*error*/) const {
    plan->pass(part::classifier);
    return anew::directive::retry(anew::error_kind::transient);
  }
  anew::directive classify_result(int value) const {
    if (value >= 0) return anew::directive::succeed();
    plan->pass(part::classifier);
    return anew::directive::retry(anew::error_kind::transient);
  }
};

struct observer {
  using role = anew::roles::observer;
  fault* plan;
  void on_attempt(anew::attempt_event const& /*e*/) const { plan->pass(part::on_attempt); }
  void on_retry(anew::retry_event const& /*e*/) const { plan->pass(part::on_retry); }
  void on_end(anew::end_event const& /*e*/) const { plan->pass(part::on_end); }
};

struct sleeper {
  fault* plan;
  void operator()(anew::duration /*delay*/) { plan->pass(part::sleeper); }
  void operator()(anew::duration /*delay*/, flag_stop const& /*stop*/) { plan->pass(part::sleeper); }
};

/// A failure by value that is counted; a value below zero is an error.
struct result : tracked {
  using tracked::tracked;
  [[nodiscard]] bool has_value() const noexcept { return value > 0; }
  [[nodiscard]] int error() const noexcept { return value; }
};

/// An exception that is counted.
struct failed : tracked {
  using tracked::tracked;
};

/// All ways in which an operation can fail, each once: (call number) -> fails until `good`.
struct by_value {
  int* calls;
  int good;
  result operator()() const { return result{++*calls >= good ? 1 : -1}; }
};
struct by_plain_value {
  int* calls;
  int good;
  int operator()() const { return ++*calls >= good ? 1 : -1; }
};
struct by_exception {
  int* calls;
  int good;
  result operator()() const {
    if (++*calls < good) throw failed{*calls};
    return result{1};
  }
};

struct expected {
  part who;
  int when;
  int attempts;    ///< how many were made when the part throws
  int spent;       ///< retries whose permit is gone
  bool succeeded;  ///< whether the quota was told of a success before
};

// Three attempts at most, all of which fail.
constexpr expected when_all_fail[] = {
    {part::classifier, 1, 1, 0, false}, {part::classifier, 2, 2, 0, false}, {part::classifier, 3, 3, 1, false},
    {part::on_attempt, 1, 1, 0, false}, {part::on_attempt, 2, 2, 1, false}, {part::on_attempt, 3, 3, 2, false},
    {part::on_retry, 1, 1, 0, false},   {part::on_retry, 2, 2, 1, false},   {part::sleeper, 1, 1, 0, false},
    {part::sleeper, 2, 2, 1, false},    {part::on_end, 1, 3, 2, false},
};
// Three attempts, the third is good.
constexpr expected when_the_third_is_good[] = {
    {part::on_attempt, 3, 3, 1, true},
    {part::on_end, 1, 3, 1, true},
};

template <class Operation, class Call>
void check(expected const& e, int good, Call call) {
  SCOPED_TRACE("part " + std::to_string(static_cast<int>(e.who)) + ", call " + std::to_string(e.when) +
               (good > 3 ? ", all fail" : ", the third is good"));
  tracked::reset();
  audited_quota::books books;
  fault plan{e.who, e.when};
  int calls = 0;
  auto const strategy = anew::compose(classifier{&plan}, observer{&plan}, audited_quota{books}, anew::no_backoff{},
                                      anew::max_attempts<3>{});
  try {
    call(strategy, Operation{&calls, good}, sleeper{&plan});
    ADD_FAILURE() << "nothing was thrown";
  } catch (part_error const& error) {
    EXPECT_EQ(error.at, e.when);
  } catch (...) {
    ADD_FAILURE() << "another exception escaped";
  }
  EXPECT_EQ(calls, e.attempts);
  EXPECT_EQ(books.failed.load(), static_cast<std::uint64_t>(e.spent));
  EXPECT_EQ(books.succeeded.load(), e.succeeded ? 1U : 0U);
  EXPECT_EQ(books.outstanding(), 0U) << "a permit is lost, or came back twice";
  EXPECT_EQ(tracked::alive, 0);
}

template <class Operation>
void check_all() {
  flag_stop::state never;
  flag_stop::state impossible;
  impossible.possible = false;
  auto const every_way = [&](expected const& e, int good) {
    check<Operation>(e, good, [](auto const& s, auto op, auto sleep) { static_cast<void>(anew::retry(s, op, sleep)); });
    check<Operation>(e, good,
                     [](auto const& s, auto op, auto sleep) { static_cast<void>(anew::retry_outcome(s, op, sleep)); });
    for (auto* state : {&never, &impossible}) {
      check<Operation>(e, good, [state](auto const& s, auto op, auto sleep) {
        static_cast<void>(anew::retry(s, op, sleep, flag_stop{*state}));
      });
      check<Operation>(e, good, [state](auto const& s, auto op, auto sleep) {
        static_cast<void>(anew::retry_outcome(s, op, sleep, flag_stop{*state}));
      });
    }
  };
  for (auto const& e : when_all_fail) every_way(e, 4);
  for (auto const& e : when_the_third_is_good) every_way(e, 3);
}

TEST(RetryThrowingParts, OperationThatFailsByValue) { check_all<by_value>(); }
TEST(RetryThrowingParts, OperationThatFailsByPlainValue) { check_all<by_plain_value>(); }
TEST(RetryThrowingParts, OperationThatFailsByException) { check_all<by_exception>(); }

TEST(RetryThrowingParts, BucketIsAsBeforeTheRetry) {
  // In numbers, with the bucket that users have: a retry costs 14.
  for (int when = 1; when <= 3; ++when) {
    fault plan{part::sleeper, when};
    auto const strategy =
        anew::compose(classifier{&plan}, anew::token_bucket<100>{}, anew::no_backoff{}, anew::max_attempts<5>{});
    EXPECT_THROW((void)anew::retry(strategy, [] { return -1; }, sleeper{&plan}), part_error);
    EXPECT_EQ(strategy.quota().balance(), 100U - 14U * static_cast<unsigned>(when - 1));
  }
}

TEST(RetryThrowingParts, ThrowingOperationSpendsWhatItsRetriesCost) {
  fault plan;
  auto const strategy =
      anew::compose(anew::retry_on<int>{}, anew::token_bucket<100>{}, anew::no_backoff{}, anew::max_attempts<5>{});
  int calls = 0;
  // The third attempt throws something final: both retries were made, and failed.
  EXPECT_THROW((void)anew::retry(
                   strategy,
                   [&] {
                     if (++calls == 3) throw std::string{"final"};
                     throw 1;
                   },
                   sleeper{&plan}),
               std::string);
  EXPECT_EQ(strategy.quota().balance(), 100U - 28U);
}

TEST(RetryThrowingParts, ExceptionOfASleeperThatLooksLikeTheOperationsIsNotRetried) {
  // The same type as the operation throws, and the classifier would retry it.
  anew::strategy<anew::retry_on<part_error>, anew::no_backoff, anew::max_attempts<5>, anew::token_bucket<100>> const s;
  int calls = 0;
  auto const operation = [&]() -> int { throw part_error{++calls}; };
  auto const sleep = [&](anew::duration /*d*/) {
    if (calls == 2) throw part_error{99};
  };
  try {
    anew::retry(s, operation, sleep);
    ADD_FAILURE() << "nothing was thrown";
  } catch (part_error const& e) {
    EXPECT_EQ(e.at, 99);
  }
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(s.quota().balance(), 86U);
  calls = 0;
  EXPECT_THROW(static_cast<void>(anew::retry_outcome(s, operation, sleep)), part_error) << "it is no outcome";
}

TEST(RetryThrowingParts, ExceptionOfAnObserverInTheHandlerReplacesTheOperations) {
  tracked::reset();
  fault plan{part::on_end, 1};
  auto const strategy = anew::compose(classifier{&plan}, observer{&plan}, anew::max_attempts<1>{});
  EXPECT_THROW(static_cast<void>(anew::retry_outcome(strategy, []() -> int { throw failed{1}; })), part_error);
  EXPECT_EQ(tracked::alive, 0);
}

/// A result whose move throws when it is told to. No copy, so that nothing else can be tried.
struct heavy : tracked {
  static inline int throw_at_move = 0;
  static inline int heavy_moves = 0;
  explicit heavy(int v) : tracked{v} {}
  heavy(heavy&& other) : tracked{check(other)} {}
  heavy& operator=(heavy&&) = delete;
  [[nodiscard]] bool has_value() const noexcept { return value > 0; }
  [[nodiscard]] int error() const noexcept { return value; }

 private:
  static tracked check(heavy& other) {
    if (++heavy_moves == throw_at_move) throw part_error{heavy_moves};
    return tracked{other.value};
  }
};

TEST(RetryThrowingParts, ResultWhoseMoveThrows) {
  flag_stop::state state;
  for (bool with_stop : {false, true}) {
    for (bool with_outcome : {false, true}) {
      for (int good : {1, 2, 3, 4}) {
        // However often the result is moved: whichever of the moves throws, the books are right and nothing leaks.
        for (int bad_move = 1; bad_move <= 12; ++bad_move) {
          SCOPED_TRACE("stop " + std::to_string(with_stop) + ", outcome " + std::to_string(with_outcome) + ", good " +
                       std::to_string(good) + ", move " + std::to_string(bad_move));
          tracked::reset();
          heavy::heavy_moves = 0;
          heavy::throw_at_move = bad_move;
          audited_quota::books books;
          fault none;
          int calls = 0;
          auto const strategy =
              anew::compose(anew::retry_all{}, audited_quota{books}, anew::no_backoff{}, anew::max_attempts<3>{});
          auto const operation = [&] { return heavy{++calls >= good ? 1 : -1}; };
          bool threw = false;
          try {
            if (with_outcome && with_stop) {
              static_cast<void>(anew::retry_outcome(strategy, operation, sleeper{&none}, flag_stop{state}));
            } else if (with_outcome) {
              static_cast<void>(anew::retry_outcome(strategy, operation, sleeper{&none}));
            } else if (with_stop) {
              static_cast<void>(anew::retry(strategy, operation, sleeper{&none}, flag_stop{state}));
            } else {
              static_cast<void>(anew::retry(strategy, operation, sleeper{&none}));
            }
          } catch (part_error const&) {
            threw = true;
          }
          EXPECT_EQ(threw, heavy::heavy_moves >= bad_move) << "an exception of the result's own is lost";
          EXPECT_EQ(books.outstanding(), 0U) << "a permit is lost, or came back twice";
          EXPECT_EQ(tracked::alive, 0);
          EXPECT_LE(calls, 3);
        }
      }
    }
  }
}

TEST(RetryThrowingParts, ThrowingPartIsHeardAfterAThrowingOperation) {
  // The first attempts throw, which the report remembers; what the sleeper throws afterwards is still no outcome.
  fault plan{part::sleeper, 2};
  auto const strategy = anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<5>{});
  EXPECT_THROW(static_cast<void>(anew::retry_outcome(
                   strategy, []() -> unsigned { throw failed{1}; }, sleeper{&plan})),
               part_error);
}

}  // namespace
}  // namespace retry_throwing_parts_test
