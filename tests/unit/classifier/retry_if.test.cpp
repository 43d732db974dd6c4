// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/retry_if.hpp"

namespace classifier_retry_if_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::error_kind;
using anew::failure;
using anew::retry_if;
using anew::retry_safety;

struct is_negative {
  bool operator()(int value) const { return value < 0; }
};

struct says_more {
  directive operator()(int value) const {
    if (value == 0) return directive::succeed();
    if (value == 1) return directive::fail();
    return directive::retry(failure{error_kind::throttling, retry_safety::maybe, 4s});
  }
};

struct hinted {
  bool again;
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::no; }
  [[nodiscard]] static bool is_throttle() { return true; }
  [[nodiscard]] static std::optional<anew::duration> retry_after() { return 5s; }
};
struct asks_hinted {
  bool operator()(hinted const& e) const { return e.again; }
};

struct timed_out {};
struct derived : timed_out {};
struct takes_timed_out {
  bool operator()(timed_out const& /*e*/) const { return true; }
};

struct answers_with_an_object {
  struct answer {
    bool yes;
    explicit(false) operator bool() const { return yes; }
  };
  answer operator()(int value) const { return {value == 7}; }
};
struct not_const {
  bool operator()(int /*value*/) { return true; }
};
struct answers_nothing {
  void operator()(int /*value*/) const {}
};

TEST(RetryIf, RetriesTheErrorsForWhichThePredicateIsTrue) {
  retry_if<is_negative> const c;
  EXPECT_EQ(c.classify(-1), directive::retry());
  EXPECT_EQ(c.classify(1), directive::no_opinion());
}

TEST(RetryIf, HasNoOpinionOnAValueForWhichItIsFalse) {
  retry_if<is_negative> const c;
  EXPECT_EQ(c.classify_result(-1), directive::retry());
  EXPECT_EQ(c.classify_result(1), directive::no_opinion());
}

TEST(RetryIf, ADirectiveIsTakenAsItIs) {
  retry_if<says_more> const c;
  for (int value : {0, 1, 2}) {
    EXPECT_EQ(c.classify(value), says_more{}(value));
    EXPECT_EQ(c.classify_result(value), says_more{}(value));
  }
}

TEST(RetryIf, AHintOfTheErrorIsHeard) {
  retry_if<asks_hinted> const c;
  EXPECT_EQ(c.classify(hinted{true}), directive::retry(error_kind::transient, 5s));
  EXPECT_EQ(c.classify(hinted{false}), directive::no_opinion());
  EXPECT_EQ(c.classify_result(hinted{true}), directive::retry(error_kind::transient, 5s));
}

TEST(RetryIf, APredicateMayHaveStateAndAnswerWithWhatIsTestable) {
  int limit = 10;
  retry_if const by_lambda{[&limit](int value) { return value > limit; }};
  EXPECT_EQ(by_lambda.classify(11), directive::retry(error_kind::transient));
  limit = 20;
  EXPECT_EQ(by_lambda.classify(11), directive::no_opinion());
  retry_if const owning{[content = std::make_shared<int>(3)](int value) { return value == *content; }};
  EXPECT_TRUE(owning.classify(3).is_retry());
  EXPECT_TRUE(retry_if{answers_with_an_object{}}.classify(7).is_retry());
  EXPECT_TRUE(retry_if{answers_with_an_object{}}.classify(8).is_failure());
}

TEST(RetryIf, ExceptionsAreAskedAboutByTheNamedTypesOnly) {
  using by_value = retry_if<is_negative>;
  using by_exception = retry_if<takes_timed_out, timed_out>;
  static_assert(std::is_same_v<by_value::catches, anew::catch_list<>>);
  static_assert(std::is_same_v<by_exception::catches, anew::catch_list<timed_out>>);
  static_assert(!anew::ClassifierOf<by_value, anew::unknown_exception>);
  static_assert(!anew::ClassifierOf<by_exception, anew::unknown_exception>);
  static_assert(anew::ClassifierOf<by_exception, derived>);
  static_assert(anew::detail::ReadsResult<by_value, int> && !anew::detail::ReadsResult<by_exception, timed_out>);
  EXPECT_TRUE(by_exception{}.classify(derived{}).is_retry());
}

TEST(RetryIf, APredicateOverOneStandardExceptionNamesItByItsParameter) {
  struct mentions_busy {
    bool operator()(std::runtime_error const& e) const noexcept { return std::string{e.what()} == "busy"; }
  };
  auto const by_lambda = [](std::system_error const& e) { return e.code() == std::errc::timed_out; };
  static_assert(std::is_same_v<retry_if<mentions_busy>::catches, anew::catch_list<std::runtime_error>>);
  static_assert(std::is_same_v<retry_if<decltype(by_lambda)>::catches, anew::catch_list<std::system_error>>);
  static_assert(std::is_same_v<retry_if<mentions_busy, std::range_error>::catches, anew::catch_list<std::range_error>>);
  static_assert(std::is_same_v<retry_if<takes_timed_out>::catches, anew::catch_list<>>);
  EXPECT_TRUE(retry_if<mentions_busy>{}.classify(std::runtime_error{"busy"}).is_retry());
  EXPECT_TRUE(retry_if<mentions_busy>{}.classify(std::runtime_error{"gone"}).is_failure());
}

// A predicate that accepts everything must not see the placeholder for an exception of an unknown type.
TEST(RetryIf, IsNotAskedAboutAnExceptionThatItCannotSee) {
  auto const everything = [](auto const& /*error*/) { return true; };
  static_assert(!anew::ClassifierOf<retry_if<decltype(everything)>, anew::unknown_exception>);
  static_assert(anew::ClassifierOf<retry_if<decltype(everything)>, std::string>);
  EXPECT_TRUE(retry_if{everything}.classify(1).is_retry());
}

TEST(RetryIf, NeedsAPredicateThatIsCallableWhenConstAndAnswers) {
  static_assert(!anew::ClassifierOf<retry_if<not_const>, int> && !anew::ClassifierOf<retry_if<answers_nothing>, int>);
  static_assert(!anew::ClassifierOf<retry_if<is_negative>, std::string>);
  static_assert(std::is_empty_v<retry_if<is_negative>>);
  EXPECT_EQ(retry_if<is_negative>::describe(), "retry_if");
}

}  // namespace
}  // namespace classifier_retry_if_test
