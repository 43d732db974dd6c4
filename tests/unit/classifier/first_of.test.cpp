// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/any_of.hpp"
#include "anew/classifier/error_code.hpp"
#include "anew/classifier/first_of.hpp"
#include "anew/classifier/not.hpp"
#include "anew/classifier/retry_on_codes.hpp"

namespace classifier_first_of_test {
namespace {

using anew::catch_list;
using anew::directive;
using anew::error_kind;
using anew::first_of;
using anew::retry_all;
using anew::retry_if;
using anew::retry_on;

template <int Answer>
struct says {
  using role = anew::roles::classifier;
  static directive answer() {
    if (Answer == 0) return directive::fail();
    if (Answer == 1) return directive::succeed();
    return directive::retry(error_kind::throttling, std::chrono::seconds{Answer});
  }
  static directive classify(int /*error*/) { return answer(); }
  static directive classify_result(int /*value*/) { return answer(); }
};
struct reads_strings {
  using role = anew::roles::classifier;
  static directive classify(std::string const& /*error*/) { return directive::fail(); }
};
template <class E, bool Again>
struct decides {
  using role = anew::roles::classifier;
  using catches = catch_list<E>;
  static directive classify(E const& /*error*/) {
    return Again ? directive::retry(error_kind::server) : directive::fail();
  }
};

static_assert(std::is_constructible_v<anew::first_of<anew::retry_all>, anew::retry_all>, "one member is enough");

TEST(FirstOf, TheFirstThatCanReadAnErrorDecidesWhateverItSays) {
  EXPECT_EQ((first_of<says<0>, says<2>>{}.classify(7)), directive::fail());
  EXPECT_EQ((first_of<says<1>, says<2>>{}.classify(7)), directive::succeed());
  EXPECT_EQ((first_of<says<3>, says<0>>{}.classify(7)), says<3>::answer());
  EXPECT_EQ((first_of<reads_strings, says<2>>{}.classify(7)), says<2>::answer());
  EXPECT_EQ((first_of<says<2>, reads_strings>{}.classify(std::string{})), directive::fail());
}

TEST(FirstOf, TheFirstThatReadsAPlainValueDecides) {
  EXPECT_EQ((first_of<says<0>, says<2>>{}.classify_result(7)), directive::fail());
  EXPECT_EQ((first_of<says<1>, says<0>>{}.classify_result(7)), directive::succeed());
  EXPECT_EQ((first_of<reads_strings, says<2>, says<0>>{}.classify_result(7)), says<2>::answer());
  static_assert(!anew::detail::ReadsResult<first_of<reads_strings, says<2>>, std::string>);
}

TEST(FirstOf, TheOthersAreNotAsked) {
  int asked = 0;
  first_of const c{says<0>{}, retry_if{[&asked](int) { return ++asked > 0; }}};
  EXPECT_EQ(c.classify(7), directive::fail());
  EXPECT_EQ(c.classify_result(7), directive::fail());
  EXPECT_EQ(asked, 0);
}

TEST(FirstOf, AnExceptionIsDecidedByTheFirstThatCatchesItBeItByABase) {
  using base_first = first_of<decides<std::runtime_error, false>, decides<std::system_error, true>>;
  static_assert(std::is_same_v<base_first::catches, catch_list<std::system_error, std::runtime_error>>);
  std::system_error const error{std::make_error_code(std::errc::timed_out)};
  EXPECT_EQ(base_first{}.classify(error), directive::fail());
  EXPECT_EQ((first_of<decides<std::system_error, true>, decides<std::runtime_error, false>>{}.classify(error)),
            directive::retry(error_kind::server));
  EXPECT_EQ((first_of<decides<std::system_error, true>, decides<std::runtime_error, false>>{}.classify(
                std::runtime_error{"x"})),
            directive::fail());
}

#if defined(__cpp_rtti)
TEST(FirstOf, WhoCatchesAnotherTypeDoesNotDecide) {
  struct tagged : std::runtime_error, std::error_code {
    tagged() : std::runtime_error{"tagged"} {}
  };
  using c = first_of<decides<std::error_code, true>, decides<std::runtime_error, false>>;
  EXPECT_EQ(c{}.classify(std::runtime_error{"x"}), directive::fail());
  tagged const both;
  EXPECT_EQ(c{}.classify<std::runtime_error>(both), directive::retry(error_kind::server));
}
#endif

TEST(FirstOf, RetriesProgrammersErrorsForWhoeverWantsIt) {
  using c = first_of<retry_on<std::logic_error>, retry_all>;
  static_assert(std::is_same_v<c::catches, catch_list<std::logic_error>>);
  EXPECT_EQ(c{}.classify(std::logic_error{"x"}), directive::retry(error_kind::transient));
  EXPECT_EQ(c{}.classify(anew::unknown_exception{}), directive::retry(error_kind::transient));
  EXPECT_EQ((first_of<retry_all, retry_on<std::logic_error>>{}.classify(std::logic_error{"x"})), directive::fail());
}

TEST(FirstOf, WhatIsUnknownIsDecidedByTheFirstThatReadsIt) {
  using c = first_of<retry_on<int>, says<0>, retry_all>;
  EXPECT_EQ(c{}.classify(anew::unknown_exception{}), directive::retry(error_kind::transient));
  static_assert(!anew::ClassifierOf<first_of<retry_on<int>, says<0>>, anew::unknown_exception>);
}

TEST(FirstOf, DescribesItsMembersAndHasNoSizeWithoutState) {
  EXPECT_EQ((first_of<retry_on<int>, retry_all>{}.describe()), "first_of(retry_on(1),retry_all)");
  static_assert(std::is_empty_v<first_of<retry_on<int>, retry_all>>);
}

TEST(FirstOf, WhereOneHasNoOpinionTheNextIsAsked) {
  auto const is_seven = [](int number) { return number == 7; };
  first_of const c{retry_if{is_seven}, says<0>{}};
  EXPECT_EQ(c.classify(7), directive::retry());
  EXPECT_EQ(c.classify(8), directive::fail());
  EXPECT_EQ(c.classify_result(7), directive::retry());
  EXPECT_EQ(c.classify_result(8), directive::fail());
  first_of const none{retry_if{is_seven}, retry_if{is_seven}};
  EXPECT_EQ(none.classify(8), directive::no_opinion());
  EXPECT_EQ(none.classify_result(8), directive::no_opinion());
  auto const grades = [](int number) { return number == 7 ? directive::no_opinion() : directive::succeed(); };
  EXPECT_EQ((first_of{retry_if{grades}, says<2>{}}.classify_result(7)), says<2>::answer());
}

// A classifier that reads no more than those before it, which always have an opinion, would never be asked.
TEST(FirstOf, RefusesAClassifierThatItCanNeverAsk) {
  using anew::error_code_classifier;
  using anew::not_;
  using is_code = decltype([](std::error_code const&) { return true; });
  using is_text = decltype([](std::string const&) { return true; });
  static_assert(!anew::Composable<first_of<retry_on<std::runtime_error>, not_<retry_on<std::system_error>>>>);
  static_assert(anew::Composable<first_of<not_<retry_on<std::system_error>>, retry_on<std::runtime_error>>>);
  static_assert(!anew::Composable<first_of<error_code_classifier, retry_if<is_code>>>);
  static_assert(anew::Composable<first_of<retry_if<is_code>, error_code_classifier>>);
  static_assert(anew::Composable<first_of<error_code_classifier, retry_if<is_text>>>);
  static_assert(!anew::Composable<first_of<error_code_classifier, anew::retry_on_codes<std::errc::timed_out>>>);
  static_assert(!anew::Composable<first_of<retry_all, retry_on<std::logic_error>>>);
  static_assert(anew::Composable<first_of<anew::http_status_classifier<>, error_code_classifier, retry_all>>);
  // Two together hide what neither hides alone.
  static_assert(!anew::Composable<first_of<retry_on<int>, retry_on<char>, retry_on<int, char>>>);
  static_assert(anew::Composable<first_of<retry_on<int>, retry_on<int, char>>>);
  static_assert(anew::Composable<anew::any_of<retry_on<std::runtime_error>, retry_on<std::system_error>>>);
}

TEST(FirstOf, IsRefusedWhenItCannotWork) {
  static_assert(!anew::Composable<first_of<>> && !anew::Composable<first_of<retry_all, int>>);
  static_assert(!anew::Composable<first_of<retry_all, retry_on<>>>);
  static_assert(anew::Composable<first_of<anew::any_of<retry_all>>>);
}

}  // namespace
}  // namespace classifier_first_of_test
