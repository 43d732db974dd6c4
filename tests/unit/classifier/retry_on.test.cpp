// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/retry_on.hpp"

namespace classifier_retry_on_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::error_kind;
using anew::failure;
using anew::retry_on;
using anew::retry_safety;

struct speaks : std::runtime_error {
  explicit speaks(retry_safety s) : std::runtime_error{"speaks"}, safety{s} {}
  retry_safety safety;
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] static bool is_timeout() { return true; }
  [[nodiscard]] static std::optional<anew::duration> retry_after() { return 1s; }
};

TEST(RetryOn, TheNamedTypesAreTransient) {
  using c = retry_on<std::system_error, std::runtime_error>;
  EXPECT_EQ(c::classify(std::system_error{std::make_error_code(std::errc::timed_out)}),
            directive::retry(error_kind::transient));
  EXPECT_EQ(c::classify(std::runtime_error{"busy"}), directive::retry(error_kind::transient));
}

TEST(RetryOn, AnExceptionThatSpeaksIsBelieved) {
  using c = retry_on<speaks>;
  EXPECT_EQ(c::classify(speaks{retry_safety::yes}),
            directive::retry(failure{error_kind::timeout, retry_safety::yes, 1s}));
  EXPECT_EQ(c::classify(speaks{retry_safety::maybe}),
            directive::retry(failure{error_kind::timeout, retry_safety::maybe, 1s}));
  EXPECT_EQ(c::classify(speaks{retry_safety::no}), directive::fail());
}

TEST(RetryOn, CatchesInTheOrderThatIsWritten) {
  using c = retry_on<std::system_error, std::runtime_error>;
  static_assert(std::is_same_v<c::catches, anew::catch_list<std::system_error, std::runtime_error>>);
  static_assert(anew::ClassifierOf<c, std::system_error> && anew::ClassifierOf<c, std::runtime_error>);
  // A derived type arrives by the clause of its base, so only the named types themselves are read.
  static_assert(!anew::ClassifierOf<c, std::range_error> && !anew::ClassifierOf<c, std::logic_error>);
  static_assert(!anew::ClassifierOf<c, anew::unknown_exception> && !anew::ClassifierOf<c, int>);
  EXPECT_EQ(c::describe(), "retry_on(2)");
}

template <class... Es>
using clauses_of = typename retry_on<Es...>::catches;

TEST(RetryOn, PutsAClauseForProgrammersErrorsBeforeABaseOfThem) {
  using anew::catch_list;
  static_assert(std::is_same_v<clauses_of<std::exception>, catch_list<std::logic_error, std::exception>>);
  static_assert(std::is_same_v<clauses_of<std::runtime_error, std::exception, int>,
                               catch_list<std::runtime_error, std::logic_error, std::exception, int>>);
  static_assert(std::is_same_v<clauses_of<std::runtime_error, int>, catch_list<std::runtime_error, int>>);
  using c = retry_on<std::runtime_error, std::exception>;
  static_assert(anew::ClassifierOf<c, std::logic_error> && !anew::ClassifierOf<c, std::out_of_range>);
  EXPECT_EQ(c::classify(std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(c::classify(std::runtime_error{"x"}), directive::retry(error_kind::transient));
  EXPECT_EQ(c::classify(std::exception{}), directive::retry(error_kind::transient));
  EXPECT_EQ(c::describe(), "retry_on(2)");
}

TEST(RetryOn, UnlessTheyAreNamed) {
  using anew::catch_list;
  static_assert(
      std::is_same_v<clauses_of<std::logic_error, std::exception>, catch_list<std::logic_error, std::exception>>);
  static_assert(
      std::is_same_v<clauses_of<std::out_of_range, std::exception>, catch_list<std::out_of_range, std::exception>>);
  static_assert(std::is_same_v<clauses_of<std::logic_error>, catch_list<std::logic_error>>);
  EXPECT_EQ((retry_on<std::logic_error, std::exception>::classify(std::logic_error{"x"})),
            directive::retry(error_kind::transient));
  EXPECT_EQ((retry_on<std::out_of_range>::classify(std::out_of_range{"x"})), directive::retry(error_kind::transient));
}

TEST(RetryOn, ThatClauseCounts) {
  static_assert(anew::Composable<retry_on<int, long, char, bool, float, double, short, unsigned>>);
  static_assert(anew::Composable<retry_on<int, long, char, bool, float, double, std::exception>>);
  static_assert(!anew::Composable<retry_on<int, long, char, bool, float, double, short, std::exception>>);
  static_assert(!retry_on<int, long, char, bool, float, double, short, std::exception>::is_sound);
}

}  // namespace
}  // namespace classifier_retry_on_test
