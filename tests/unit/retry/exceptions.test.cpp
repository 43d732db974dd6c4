// SPDX-License-Identifier: BSL-1.0
// Operations that fail by exceptions: who catches what, and that the last one comes back as it was thrown.
#include <exception>
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
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "names.hpp"
#include "rejection.hpp"

namespace retry_exceptions_test {
namespace {

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

  explicit counted(int n) : std::runtime_error{"counted"}, number{n} { ++made, ++alive; }
  counted(counted const& other) : std::runtime_error{other}, number{other.number} { ++made, ++alive; }
  counted& operator=(counted const&) = default;
  ~counted() override { --alive; }
  int number;
};
struct derived_counted : counted {
  using counted::counted;
};

TEST(RetryExceptions, ResultsThatCannotBeMadeInAdvance) {
  struct only_moved {
    explicit only_moved(int v) : value{std::make_unique<int>(v)} {}
    std::unique_ptr<int> value;
  };
  int calls = 0;
  std::string kept = "kept";
  auto const fail_twice = [&] {
    if (++calls % 3 != 0) throw 1;
  };
  static_assert(std::is_void_v<decltype(anew::retry(eager{}, fail_twice, no_sleep))>);
  anew::retry(eager{}, fail_twice, no_sleep);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(&anew::retry(eager{}, [&]() -> std::string& { return fail_twice(), kept; }, no_sleep), &kept);
  EXPECT_EQ(*anew::retry(eager{}, [&] { return fail_twice(), only_moved{calls}; }, no_sleep).value, 9);
}

template <class Strategy, class E>
void expect_calls(int expected, E const& thrown) {
  int calls = 0;
  EXPECT_THROW((void)anew::retry(Strategy{}, [&] { return ++calls, throw thrown; }, no_sleep), E);
  EXPECT_EQ(calls, expected) << testing::PrintToString(thrown);
}

struct reads_two {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<numbered<0>, numbered<1>>;
  template <class E>
    requires std::is_class_v<E>
  static anew::directive classify(E const& error) {
    static_assert(std::is_base_of_v<std::runtime_error, E> || std::is_same_v<E, anew::unknown_exception>,
                  "a clause that the list leaves empty asks nothing, and is not compiled");
    return anew::retry_all::classify(error);
  }
};

TEST(RetryExceptions, TypesThatAreNamed) {
  using one = retry_three_times<numbered<0>>;
  expect_calls<one>(3, numbered<0>{});
  expect_calls<one>(1, numbered<1>{});
  using two = retry_three_times<numbered<0>, numbered<1>>;
  expect_calls<two>(3, numbered<1>{});
  expect_calls<two>(1, numbered<2>{});
  expect_calls<anew::strategy<reads_two, anew::no_backoff, anew::max_attempts<3>>>(3, numbered<1>{});
  using eight = retry_three_times<numbered<0>, numbered<1>, numbered<2>, numbered<3>, numbered<4>, numbered<5>,
                                  numbered<6>, numbered<7>>;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (expect_calls<eight>(3, numbered<I>{}), ...);
  }(std::make_integer_sequence<int, 8>{});
  expect_calls<eight>(1, numbered<8>{});
  using no_classes = retry_three_times<int, char const*>;
  expect_calls<no_classes>(3, 1);
  expect_calls<no_classes>(3, static_cast<char const*>("text"));
  expect_calls<no_classes>(1, 1L);
  expect_calls<retry_three_times<std::runtime_error>>(3, std::system_error{std::make_error_code(std::errc::io_error)});
  expect_calls<eager>(3, 1);
  expect_calls<eager>(3, std::string{"two"});
}

/// Says through which clause it was asked, and about which object.
struct clauses {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<derived_counted, counted, std::exception>;
  static inline std::vector<std::string> heard;
  static inline std::vector<void const*> addresses;
  static anew::directive classify(derived_counted const& e) { return hear("derived", &e); }
  static anew::directive classify(counted const& e) { return hear("base", &e); }
  static anew::directive classify(std::exception const& e) { return hear("exception", &e); }
  static anew::directive classify(anew::unknown_exception /*e*/) { return hear("unknown", nullptr); }
  static anew::directive hear(char const* what, void const* address) {
    heard.emplace_back(what);
    addresses.push_back(address);
    return anew::directive::retry(anew::error_kind::transient);
  }
};

void begin_anew() {
  counted::made = counted::alive = 0;
  clauses::heard.clear();
  clauses::addresses.clear();
}

TEST(RetryExceptions, ClausesAreTriedInTheirOrder) {
  anew::strategy<clauses, anew::no_backoff, anew::max_attempts<4>> const strategy;
  int calls = 0;
  begin_anew();
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
                   no_sleep),
               int);
  EXPECT_EQ(clauses::heard, (std::vector<std::string>{"base", "derived", "exception", "unknown"}));
}

TEST(RetryExceptions, NothingIsThrownTwiceOrCopied) {
  anew::strategy<clauses, anew::no_backoff, anew::max_attempts<3>> const strategy;
  begin_anew();
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
  ASSERT_EQ(clauses::addresses.size(), 3U);
  EXPECT_EQ(clauses::addresses.back(), address) << "the object that the classifier saw is the one that comes back";
}

TEST(RetryExceptions, OutcomeKeepsTheSameObject) {
  anew::strategy<clauses, anew::no_backoff, anew::max_attempts<2>> const strategy;
  begin_anew();
  {
    auto told = anew::retry_outcome(strategy, [] { throw counted{7}; }, no_sleep);
    EXPECT_FALSE(told.has_result());
    EXPECT_EQ(told.reason(), anew::stop_reason::attempts);
    ASSERT_NE(told.exception(), nullptr);
    for (int i = 0; i != 2; ++i) {
      try {
        static_cast<void>(told.result());
        ADD_FAILURE() << "nothing was thrown";
      } catch (counted const& e) {
        EXPECT_EQ(&e, clauses::addresses.back());
      }
    }
    EXPECT_THROW(static_cast<void>(std::move(told).result()), counted);
  }
  EXPECT_EQ(counted::made, 2);
  EXPECT_EQ(counted::alive, 0);
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
    auto const operation = [&]() -> bool {
      if (++calls == bad) throw counted{bad};
      return false;
    };
    EXPECT_THROW((void)anew::retry(strategy, operation, no_sleep), counted);
    EXPECT_EQ(calls, bad);
    auto const told = (calls = 0, anew::retry_outcome(strategy, operation, no_sleep));
    EXPECT_EQ(told.reason(), anew::stop_reason::unclassified);
    EXPECT_EQ(told.attempts(), static_cast<std::uint32_t>(bad));
    EXPECT_NE(told.exception(), nullptr);
  }
}

TEST(RetryExceptions, ExceptionOfAnOuterHandlerStaysCurrent) {
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
                  no_sleep),
              3U);
    EXPECT_EQ(support::rejection_of<std::logic_error>([] { throw; }), "outer");
  }
}

}  // namespace
}  // namespace retry_exceptions_test
