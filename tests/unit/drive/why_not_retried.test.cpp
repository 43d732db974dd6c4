// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#if __has_include(<boost/system/system_error.hpp>)
#include <boost/system/system_error.hpp>
#define HAS_BOOST_SYSTEM 1
#else
#define HAS_BOOST_SYSTEM 0
#endif
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drive/why_not_retried.hpp"
#include "anew/policies.hpp"

namespace drive_why_not_retried_test {

struct speaks : anew::retry_info {
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};
struct by_private : std::runtime_error, private speaks {
  by_private() : std::runtime_error{"x"} {}
};
class by_omission : speaks {};  // a class inherits privately
struct deeper : by_private {};
struct by_protected : std::exception, protected speaks {};
struct by_private_virtual : std::exception, private virtual speaks {};
struct of_no_exception {};
struct by_public : speaks {};
struct both_ways : by_public, by_private {};

#if HAS_BOOST_SYSTEM
class their_error : public boost::system::system_error {
  using boost::system::system_error::system_error;
};
#endif

namespace {

using anew::why_not_retried;

template <class S, class Op>
std::string why(S const& strategy, Op operation) {
  return why_not_retried(strategy, anew::retry_outcome(strategy, operation));
}
using by_default = anew::strategy<anew::no_backoff>;
template <class E>
std::string why_of(E const& error) {
  return why(by_default{}, [&error] { throw error; });
}

[[maybe_unused]] constexpr auto privately = "it inherits anew::retry_info privately; write 'public anew::retry_info'";
[[maybe_unused]] constexpr auto of_boost = "include <anew/boost_system.hpp> and compose anew::boost_system::classifier";

bool says(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

TEST(WhyNotRetried, NamesTheExceptionAndWhatReadsIt) {
  EXPECT_EQ(
      why_of(std::runtime_error{"x"}),
      "std::runtime_error was thrown, which anew::retry_info_classifier does not read: compose "
      "anew::retry_on<std::runtime_error>, or anew::retry_info_on<std::runtime_error> if it says for itself whether "
      "to retry");
  EXPECT_TRUE(says(why_of(of_no_exception{}), "compose anew::retry_on<drive_why_not_retried_test::of_no_exception>"));
  EXPECT_TRUE(says(why_of(7), "int was thrown"));
  EXPECT_TRUE(
      says(why(anew::strategy<anew::retry_on<std::bad_alloc>>{}, [] { throw 7; }), "the classifier retry_on(1)"));
}

#if defined(__GLIBCXX__) && defined(__cpp_rtti)
TEST(WhyNotRetried, SeesPrivateInheritance) {
  EXPECT_TRUE(says(why_of(by_private{}), privately)) << why_of(by_private{});
  EXPECT_TRUE(says(why_of(by_omission{}), privately)) << "the only base";
  EXPECT_TRUE(says(why_of(deeper{}), privately));
  EXPECT_TRUE(says(why_of(by_protected{}), privately));
  EXPECT_TRUE(says(why_of(by_private_virtual{}), privately));
  EXPECT_FALSE(says(why_of(std::runtime_error{"x"}), "inherits"));
#if HAS_BOOST_SYSTEM
  EXPECT_TRUE(says(why_of(their_error{boost::system::error_code{}}), of_boost));
#endif
}
TEST(WhyNotRetried, AnInheritanceThatIsSeenIsNotBlamed) {
  // The other way to the base is ambiguous for a catch clause. One of them is public, and so not the reason.
  EXPECT_FALSE(says(why_of(both_ways{}), "privately"));
}
#endif

#if HAS_BOOST_SYSTEM
TEST(WhyNotRetried, TellsTheTwoSystemErrorsApart) {
  boost::system::system_error const theirs{make_error_code(boost::system::errc::connection_refused)};
  anew::strategy<anew::error_code_classifier> const strategy;
  auto const text = why(strategy, [&] { throw theirs; });
  EXPECT_TRUE(says(text, "Boost's system_error is not std::system_error")) << text;
  EXPECT_TRUE(says(text, of_boost)) << text;
  EXPECT_FALSE(says(why_of(std::system_error{std::make_error_code(std::errc::timed_out)}), "Boost"));
}
#endif

TEST(WhyNotRetried, SaysThatAProgrammersErrorMustBeNamed) {
  using all = anew::strategy<anew::retry_all, anew::no_backoff>;
  EXPECT_TRUE(
      says(why(all{}, [] { throw std::out_of_range{"x"}; }), "std::out_of_range derives from std::logic_error"));
  EXPECT_TRUE(says(why(all{}, [] { throw std::runtime_error{"x"}; }), "all 3 attempts failed"));
}

struct too_busy {
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
  [[nodiscard]] static std::optional<anew::duration> retry_after() { return std::chrono::hours{1}; }
};
struct answer {
  [[nodiscard]] static bool has_value() { return false; }
  [[nodiscard]] static too_busy error() { return {}; }
};

TEST(WhyNotRetried, HasWordsForEveryOtherEnd) {
  EXPECT_EQ(why(by_default{}, [] {}), "");
  EXPECT_EQ(why(by_default{}, [] { return answer{}; }),
            "gave up: the server asks for a longer wait than is permitted (1.0 h)");
  EXPECT_EQ(why_not_retried(by_default{}, std::exception_ptr{}), "");
  EXPECT_TRUE(says(why_not_retried(by_default{}, std::make_exception_ptr(7)), "int was thrown"));
}

}  // namespace
}  // namespace drive_why_not_retried_test
