// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/classifier/retry_if.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/policies/classifier/retry_on.hpp"

#include "names.hpp"

namespace classifier_retry_test {
namespace {

using namespace anew;

template <class C, class... Es>
constexpr bool catches = std::is_same_v<typename C::catches, catch_list<Es...>>;

struct pessimist {
  bool again = true;
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::no; }
  [[nodiscard]] static bool is_throttle() { return true; }
  [[nodiscard]] static std::optional<duration> retry_after() { return 3s; }
};

TEST(RetryAll, EveryErrorIsTransientAndSafe) {
  EXPECT_EQ(retry_all::classify(0), directive::retry(error_kind::transient));
  EXPECT_EQ(retry_all::classify(std::string{"any"}), directive::retry(error_kind::transient));
  EXPECT_EQ(retry_all::classify(unknown_exception{}), directive::retry(error_kind::transient));
  EXPECT_EQ(retry_all::classify(pessimist{}), directive::retry(error_kind::transient, 3s));  // the hint is heard
  static_assert(ClassifierOf<retry_all, unknown_exception> && !detail::ReadsResult<retry_all, int>);
  EXPECT_EQ(retry_all::describe(), "retry_all");
}

TEST(RetryAll, ProgrammersErrorsAreFinalAsValuesAndThrown) {
  struct own : std::domain_error {
    using domain_error::domain_error;
    [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::yes; }
  };
  EXPECT_EQ(retry_all::classify(std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(retry_all::classify(std::out_of_range{"x"}), directive::fail());
  EXPECT_EQ(retry_all::classify(own{"x"}), directive::fail());
  EXPECT_EQ(retry_all::classify(std::runtime_error{"x"}), directive::retry(error_kind::transient));
  EXPECT_EQ(retry_all::classify(std::exception{}), directive::retry(error_kind::transient));
  static_assert(catches<retry_all, std::logic_error>);
}

using is_negative = decltype([](int value) { return value < 0; });

struct says_more {
  directive operator()(int value) const {
    if (value == 0) return directive::succeed();
    if (value == 1) return directive::fail();
    return directive::retry(failure{error_kind::throttling, retry_safety::maybe, 4s});
  }
};

using asks_pessimist = decltype([](pessimist const& e) { return e.again; });

struct timed_out {};
struct derived : timed_out {};
using takes_timed_out = decltype([](timed_out const&) { return true; });

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
using answers_nothing = decltype([](int) {});

TEST(RetryIf, RetriesTheErrorsForWhichThePredicateIsTrue) {
  retry_if<is_negative> const c;
  EXPECT_EQ(c.classify(-1), directive::retry());
  EXPECT_EQ(c.classify(1), directive::no_opinion());
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
  retry_if<asks_pessimist> const c;
  EXPECT_EQ(c.classify(pessimist{true}), directive::retry(error_kind::transient, 3s));
  EXPECT_EQ(c.classify(pessimist{false}), directive::no_opinion());
  EXPECT_EQ(c.classify_result(pessimist{true}), directive::retry(error_kind::transient, 3s));
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
  static_assert(catches<by_value> && catches<by_exception, timed_out> && !ClassifierOf<by_value, unknown_exception>);
  static_assert(!ClassifierOf<by_exception, unknown_exception> && ClassifierOf<by_exception, derived>);
  static_assert(detail::ReadsResult<by_value, int> && !detail::ReadsResult<by_exception, timed_out>);
  EXPECT_TRUE(by_exception{}.classify(derived{}).is_retry());
}

TEST(RetryIf, APredicateOverOneStandardExceptionNamesItByItsParameter) {
  using mentions_busy = decltype([](std::runtime_error const& e) noexcept { return std::string{e.what()} == "busy"; });
  auto const by_lambda = [](std::system_error const& e) { return e.code() == std::errc::timed_out; };
  static_assert(catches<retry_if<mentions_busy>, std::runtime_error>);
  static_assert(catches<retry_if<decltype(by_lambda)>, std::system_error>);
  static_assert(catches<retry_if<mentions_busy, std::range_error>, std::range_error>);
  static_assert(catches<retry_if<takes_timed_out>>);
  EXPECT_TRUE(retry_if<mentions_busy>{}.classify(std::runtime_error{"busy"}).is_retry());
  EXPECT_TRUE(retry_if<mentions_busy>{}.classify(std::runtime_error{"gone"}).is_failure());
}

// A predicate that accepts everything must not see the placeholder for an exception of an unknown type.
TEST(RetryIf, IsNotAskedAboutAnExceptionThatItCannotSee) {
  auto const everything = [](auto const& /*error*/) { return true; };
  static_assert(!ClassifierOf<retry_if<decltype(everything)>, unknown_exception>);
  static_assert(ClassifierOf<retry_if<decltype(everything)>, std::string>);
  EXPECT_TRUE(retry_if{everything}.classify(1).is_retry());
}

TEST(RetryIf, NeedsAPredicateThatIsCallableWhenConstAndAnswers) {
  static_assert(!ClassifierOf<retry_if<not_const>, int> && !ClassifierOf<retry_if<answers_nothing>, int>);
  static_assert(!ClassifierOf<retry_if<is_negative>, std::string> && std::is_empty_v<retry_if<is_negative>>);
  EXPECT_EQ(retry_if<is_negative>::describe(), "retry_if");
}

struct error {
  retry_safety safety;
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] static bool is_throttle() { return true; }
  [[nodiscard]] static std::optional<duration> retry_after() { return 2s; }
};

struct busy : retry_info {
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::maybe; }
  [[nodiscard]] bool is_timeout() const override { return true; }
};

struct vendor_error {
  int code;
};
struct silent_error {};

}  // namespace
}  // namespace classifier_retry_test

template <>
struct anew::retry_traits<classifier_retry_test::vendor_error> {
  static retry_safety is_retry_safe(classifier_retry_test::vendor_error const& e) {
    return e.code > 0 ? retry_safety::yes : retry_safety::no;
  }
};

namespace classifier_retry_test {
namespace {

TEST(RetryInfoClassifier, BelievesTheErrorAndSoDoesRetryOn) {
  constexpr retry_info_classifier c;
  for (auto const safety : {retry_safety::yes, retry_safety::maybe}) {
    EXPECT_EQ(c.classify(error{safety}).what(), (failure{error_kind::throttling, safety, 2s}));
    EXPECT_EQ(retry_on<error>::classify(error{safety}), c.classify(error{safety}));
  }
  EXPECT_EQ(c.classify(error{retry_safety::no}), directive::fail());
  EXPECT_EQ(retry_on<error>::classify(error{retry_safety::no}), directive::fail());
  EXPECT_EQ(c.classify(vendor_error{1}), directive::retry(error_kind::transient));
  EXPECT_EQ(c.classify(vendor_error{0}), directive::fail());
}

TEST(RetryInfoClassifier, ReadsAnExceptionByItsBase) {
  busy const e{};
  retry_info const& base = e;
  EXPECT_EQ(retry_info_classifier::classify(base),
            directive::retry(failure{error_kind::timeout, retry_safety::maybe, {}}));
}

TEST(RetryInfoClassifier, CannotReadWhatSaysNothing) {
  static_assert(ClassifierOf<retry_info_classifier, error> && ClassifierOf<retry_info_classifier, vendor_error>);
  static_assert(ClassifierOf<retry_info_classifier, retry_info> && !ClassifierOf<retry_info_classifier, silent_error>);
  static_assert(!ClassifierOf<retry_info_classifier, int> && !ClassifierOf<retry_info_classifier, std::string>);
  static_assert(!ClassifierOf<retry_info_classifier, unknown_exception> && catches<retry_info_classifier, retry_info>);
  EXPECT_EQ(retry_info_classifier::describe(), "retry_info");
}

TEST(RetryOn, CatchesInTheOrderThatIsWritten) {
  using c = retry_on<std::system_error, std::runtime_error>;
  static_assert(catches<c, std::system_error, std::runtime_error>);
  static_assert(ClassifierOf<c, std::system_error> && ClassifierOf<c, std::runtime_error>);
  // A derived type arrives by the clause of its base, so only the named types themselves are read.
  static_assert(!ClassifierOf<c, std::range_error> && !ClassifierOf<c, std::logic_error>);
  static_assert(!ClassifierOf<c, unknown_exception> && !ClassifierOf<c, int>);
  EXPECT_EQ(c::describe(), "retry_on(2)");
}

TEST(RetryOn, PutsAClauseForProgrammersErrorsBeforeABaseOfThem) {
  using others = retry_on<std::runtime_error, std::exception, int>;
  static_assert(catches<retry_on<std::exception>, std::logic_error, std::exception>);
  static_assert(catches<others, std::runtime_error, std::logic_error, std::exception, int>);
  static_assert(catches<retry_on<std::runtime_error, int>, std::runtime_error, int>);
  using c = retry_on<std::runtime_error, std::exception>;
  static_assert(ClassifierOf<c, std::logic_error> && !ClassifierOf<c, std::out_of_range>);
  EXPECT_EQ(c::classify(std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(c::classify(std::runtime_error{"x"}), directive::retry(error_kind::transient));
  EXPECT_EQ(c::classify(std::exception{}), directive::retry(error_kind::transient));
  EXPECT_EQ(c::describe(), "retry_on(2)");
}

TEST(RetryOn, UnlessTheyAreNamed) {
  static_assert(catches<retry_on<std::logic_error, std::exception>, std::logic_error, std::exception>);
  static_assert(catches<retry_on<std::out_of_range, std::exception>, std::out_of_range, std::exception>);
  static_assert(catches<retry_on<std::logic_error>, std::logic_error>);
  EXPECT_EQ((retry_on<std::logic_error, std::exception>::classify(std::logic_error{"x"})), directive::retry());
  EXPECT_EQ((retry_on<std::out_of_range>::classify(std::out_of_range{"x"})), directive::retry());
}

// The clause for programmers' errors counts.
static_assert(Composable<retry_on<int, long, char, bool, float, double, short, unsigned>>);
static_assert(Composable<retry_on<int, long, char, bool, float, double, std::exception>>);
static_assert(!Composable<retry_on<int, long, char, bool, float, double, short, std::exception>>);
static_assert(!retry_on<int, long, char, bool, float, double, short, std::exception>::is_sound);

enum class state : std::uint8_t { pending, ready, broken };
using is_pending = decltype([](state s) { return s == state::pending; });

TEST(RetryWhile, EveryValueThatIsNotRetriedIsASuccess) {
  retry_while<is_pending> const c;
  EXPECT_EQ(c.classify_result(state::pending), directive::retry());
  EXPECT_EQ(c.classify_result(state::ready), directive::succeed());
  EXPECT_EQ(c.classify_result(state::broken), directive::succeed());
}

TEST(RetryWhile, ReadsResultsAndNoErrors) {
  using c = retry_while<is_pending>;
  static_assert(Classifier<c> && std::is_empty_v<c> && !ClassifierOf<c, state> && !detail::ReadsResult<c, std::string>);
  using generic = retry_while<decltype([](auto const&) { return true; })>;
  static_assert(!detail::ReadsResult<generic, state> && detail::RefusesResult<generic, std::string>);
  EXPECT_EQ(c::describe(), "retry_while");
}

// What nobody has an opinion on is a success where the shape says so, and elsewhere a failure that nobody read.
TEST(RetryWhile, AndWithoutItAPredicateMayLeaveAValueUndecided) {
  struct grades {
    directive operator()(state s) const { return s == state::ready ? directive::succeed() : directive::no_opinion(); }
    directive operator()(unsigned /*number*/) const { return directive::no_opinion(); }
  };
  anew::strategy<retry_if<grades>, no_backoff> const strategy;
  EXPECT_EQ(retry_outcome(strategy, [] { return state::ready; }).reason(), stop_reason::succeeded);
  EXPECT_EQ(retry_outcome(strategy, [] { return state::broken; }).reason(), stop_reason::unclassified);
  EXPECT_EQ(retry_outcome(strategy, [] { return 7U; }).reason(), stop_reason::succeeded);
}

}  // namespace
}  // namespace classifier_retry_test
