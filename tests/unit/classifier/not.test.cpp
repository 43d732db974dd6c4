// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/first_of.hpp"
#include "anew/classifier/not.hpp"

namespace classifier_not_test {
namespace {

using namespace std::chrono_literals;
using anew::catch_list;
using anew::directive;
using anew::error_kind;
using anew::not_;
using anew::retry_all;
using anew::retry_if;
using anew::retry_on;

struct is_negative {
  bool operator()(int value) const { return value < 0; }
};
struct hinted {
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::no; }
  [[nodiscard]] static std::optional<anew::duration> retry_after() { return 5s; }
};
struct succeeds {
  using role = anew::roles::classifier;
  static directive classify(int /*error*/) { return directive::succeed(); }
};
struct unknown_is_final {
  using role = anew::roles::classifier;
  static directive classify(anew::unknown_exception /*e*/) { return directive::fail(); }
};

// Some clause inside would catch a programmer's error: then it has a clause of its own, before that.
struct never {
  bool operator()(std::exception const& /*e*/) const { return false; }
};
static_assert(anew::detail::is_listed<std::logic_error,
                                      anew::not_<anew::retry_if<never, std::runtime_error, std::exception>>::catches>);
static_assert(
    !anew::detail::is_listed<std::logic_error, anew::not_<anew::retry_if<never, std::runtime_error>>::catches>);

TEST(Not, ExchangesRetryAndFail) {
  not_<retry_if<is_negative>> const c;
  EXPECT_EQ(c.classify(-1), directive::fail());
  EXPECT_EQ(c.classify(1), directive::retry(error_kind::transient));
  EXPECT_EQ(not_<succeeds>{}.classify(1), directive::succeed());
}

// A plain value that a predicate does not call a failure is a success, and stays one.
TEST(Not, APlainValueThatIsASuccessStaysOne) {
  not_<retry_if<is_negative>> const c;
  EXPECT_EQ(c.classify_result(-1), directive::fail());
  EXPECT_EQ(c.classify_result(1), directive::no_opinion());
  EXPECT_EQ(not_<anew::retry_while<is_negative>>{}.classify_result(1), directive::succeed());
  EXPECT_EQ(not_<anew::http_status_classifier<>>{}.classify_result(404), directive::retry(error_kind::transient));
}

TEST(Not, HearsAHint) {
  EXPECT_EQ(not_<anew::retry_info_classifier>{}.classify(hinted{}), directive::retry(error_kind::transient, 5s));
}

TEST(Not, ReadsWhatTheOtherReads) {
  using c = not_<retry_on<std::runtime_error>>;
  static_assert(std::is_same_v<c::catches, catch_list<std::runtime_error>>);
  static_assert(!anew::ClassifierOf<c, anew::unknown_exception> && !anew::ClassifierOf<c, int>);
  static_assert(!anew::detail::ReadsResult<c, int>);
  EXPECT_EQ(c{}.classify(std::runtime_error{"x"}), directive::fail());
}

TEST(Not, WithRetryAllBehindItIsEverythingBut) {
  using c = anew::first_of<not_<retry_on<std::runtime_error>>, retry_all>;
  EXPECT_EQ(c{}.classify(std::runtime_error{"x"}), directive::fail());
  EXPECT_EQ(c{}.classify(anew::unknown_exception{}), directive::retry(error_kind::transient));
}

TEST(Not, LeavesProgrammersErrorsAlone) {
  using c = not_<retry_on<std::exception>>;
  static_assert(std::is_same_v<c::catches, catch_list<std::logic_error, std::exception>>);
  EXPECT_EQ(c{}.classify(std::logic_error{"x"}), directive::fail());

  auto const is_null = [](std::exception const& e) { return e.what() == nullptr; };
  not_ const by_rule{retry_if{is_null}};
  static_assert(std::is_same_v<decltype(by_rule)::catches, catch_list<std::logic_error, std::exception>>);
  EXPECT_EQ(by_rule.classify(std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(by_rule.classify(std::exception{}), directive::retry(error_kind::transient));

  // Named by hand, it is final when the other one retries it, and when it does not.
  EXPECT_EQ(not_<retry_on<std::logic_error>>{}.classify(std::logic_error{"x"}), directive::fail());
  auto const never = [](std::invalid_argument const&) { return false; };
  EXPECT_EQ(not_{retry_if{never}}.classify(std::invalid_argument{"x"}), directive::fail());

  using all_but = not_<unknown_is_final>;
  static_assert(std::is_same_v<all_but::catches, catch_list<std::logic_error>>);
  EXPECT_EQ(all_but{}.classify(std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(all_but{}.classify(anew::unknown_exception{}), directive::retry(error_kind::transient));
  EXPECT_EQ(not_<retry_all>{}.classify(std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(not_<retry_all>{}.classify(7), directive::fail());
}

TEST(Not, TwiceIsNotACopy) {
  not_ const twice{not_{retry_if{is_negative{}}}};
  static_assert(std::is_same_v<decltype(twice), not_<not_<retry_if<is_negative>>> const>);
  EXPECT_TRUE(twice.classify(-1).is_retry());
  EXPECT_TRUE(twice.classify(1).is_failure());
}

TEST(Not, DescribesItselfAndHasNoSizeWithoutState) {
  EXPECT_EQ(not_<retry_all>{}.describe(), "not(retry_all)");
  EXPECT_EQ(not_<succeeds>{}.describe(), "not(classifier)");
  static_assert(std::is_empty_v<not_<retry_if<is_negative>>>);
  static_assert(!anew::Composable<not_<int>> && !anew::Composable<not_<retry_on<>>>);
}

}  // namespace
}  // namespace classifier_not_test
