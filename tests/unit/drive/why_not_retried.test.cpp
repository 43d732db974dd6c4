// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

#if __has_include(<boost/system/system_error.hpp>)
#include <boost/system/system_error.hpp>

#include "anew/boost_system.hpp"
#define HAS_BOOST_SYSTEM 1
#else
#define HAS_BOOST_SYSTEM 0
#endif
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/why_not_retried.hpp"
#include "anew/http.hpp"
#include "anew/policies.hpp"
#include "anew/policies/classifier/retry_if.hpp"
#include "anew/presets/aws/classifier.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/presets/step_functions/retriers.hpp"
#include "anew/run_time/choice.hpp"

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
[[maybe_unused]] constexpr auto of_boost = "include <anew/boost_system.hpp> and compose anew::any_of<";

bool says(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

#if defined(__cpp_rtti)
TEST(WhyNotRetried, NamesTheExceptionAndWhatReadsIt) {
  EXPECT_EQ(why_of(std::runtime_error{"x"}),
            "std::runtime_error was thrown, which anew::retry_info_classifier does not read: compose "
            "anew::any_of<anew::retry_info_classifier, anew::idempotent_only<anew::retry_on<std::runtime_error>>>, or "
            "anew::retry_info_on<std::runtime_error> if it says for itself whether to retry");
  EXPECT_TRUE(says(why_of(of_no_exception{}), "anew::retry_on<drive_why_not_retried_test::of_no_exception>"));
  EXPECT_TRUE(says(why_of(7), "int was thrown"));
  EXPECT_TRUE(
      says(why(anew::strategy<anew::retry_on<std::bad_alloc>>{}, [] { throw 7; }), "the classifier retry_on(1)"));
  auto const unnamed = anew::compose(anew::retry_if{[](std::system_error const&) { return true; }});
  EXPECT_TRUE(says(why(unnamed, [] { throw 7; }),
                   "compose anew::any_of{your_classifier, anew::idempotent_only<anew::retry_on<int>>{}}"));
}
#endif

// Advice that is followed is right: what is composed here is, word for word, what the text says. It reads the exception,
// still reads what the classifier read, and repeats no operation that may have taken effect and is not declared.

struct lost : std::runtime_error {
  lost() : std::runtime_error{"lost"} {}
};
struct says_maybe {
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::maybe; }
};
struct wrap : std::runtime_error {
  wrap() : std::runtime_error{"wrap"} {}
};

template <class Cause>
void fail_because_of(Cause const& cause) {
  try {
    throw cause;
  } catch (...) {
    std::throw_with_nested(wrap{});
  }
}
[[maybe_unused]] std::system_error refused_connection() {
  return std::system_error{make_error_code(std::errc::connection_refused)};
}

struct followed {
  std::string text;          ///< of the program that provoked it
  std::uint32_t undeclared;  ///< attempts of the program that follows it
  std::uint32_t idempotent;
};
/// `fail` throws. `Advised` replaces the classifier of `Strategy`.
template <class Strategy, class Advised, class Fail>
followed follow(Fail const& fail) {
  anew::with<Strategy, Advised, anew::no_backoff> const strategy{};
  return {why(Strategy{}, fail), anew::retry_outcome(strategy, fail).attempts(),
          anew::retry_outcome(strategy, anew::idempotent(fail)).attempts()};
}
#define EXPECT_GOOD_ADVICE(Strategy, fail, ...)                         \
  do {                                                                  \
    auto const told = follow<Strategy, __VA_ARGS__>(fail);              \
    EXPECT_TRUE(says(told.text, "compose " #__VA_ARGS__)) << told.text; \
    EXPECT_EQ(told.undeclared, 1U) << told.text;                        \
    EXPECT_EQ(told.idempotent, 3U) << told.text;                        \
    ++advice_followed;                                                  \
  } while (false)

#if defined(__cpp_rtti) && defined(__GLIBCXX__)
TEST(WhyNotRetried, WhatItAdvisesIsRight) {
  using http = anew::http::standard;
  using http_and_lost = anew::with<http, anew::http::statuses_and<lost>>;
  using one_status = anew::with<http, anew::http::classifier<anew::http_status_classifier<503>>>;
  using codes = anew::strategy<anew::error_code_classifier>;
  using of_int = anew::strategy<anew::retry_on<int>>;
  int advice_followed = 0;
  auto const throws = [](auto const& error) { return [error]() -> void { throw error; }; };
  auto const responds = [](auto const& error) { return [error]() -> unsigned { throw error; }; };
  auto const reset = std::runtime_error{"reset"};
  EXPECT_GOOD_ADVICE(
      by_default, throws(reset),
      anew::any_of<anew::retry_info_classifier, anew::idempotent_only<anew::retry_on<std::runtime_error>>>);
  EXPECT_GOOD_ADVICE(
      codes, throws(reset),
      anew::any_of<anew::error_code_classifier, anew::idempotent_only<anew::retry_on<std::runtime_error>>>);
  EXPECT_GOOD_ADVICE(of_int, throws('c'),
                     anew::any_of<anew::retry_on<int>, anew::idempotent_only<anew::retry_on<char>>>);
  EXPECT_GOOD_ADVICE(http, responds(reset), anew::http::statuses_and<std::runtime_error>);
  EXPECT_GOOD_ADVICE(http_and_lost, responds(reset),
                     anew::http::statuses_and<drive_why_not_retried_test::lost, std::runtime_error>);
  EXPECT_GOOD_ADVICE(one_status, responds(reset),
                     anew::http::classifier<anew::http_status_classifier<503>, std::runtime_error>);
#if HAS_BOOST_SYSTEM
  boost::system::system_error const theirs{make_error_code(boost::system::errc::connection_reset)};
  EXPECT_GOOD_ADVICE(codes, throws(theirs),
                     anew::any_of<anew::error_code_classifier, anew::boost_system::classifier<>>);
#endif
  auto const because_of_a_code = [] {
    fail_because_of(std::system_error{make_error_code(std::errc::connection_reset)});
  };
  EXPECT_GOOD_ADVICE(codes, because_of_a_code, anew::caused_by<anew::error_code_classifier>);
  auto const because_of_a_loss = [] { fail_because_of(lost{}); };
  EXPECT_GOOD_ADVICE(
      codes, because_of_a_loss,
      anew::caused_by<anew::any_of<anew::error_code_classifier,
                                   anew::idempotent_only<anew::retry_on<drive_why_not_retried_test::lost>>>>);
  auto const in_http = [because_of_a_loss]() -> unsigned { return because_of_a_loss(), 200U; };
  EXPECT_GOOD_ADVICE(http, in_http, anew::caused_by<anew::http::statuses_and<drive_why_not_retried_test::lost>>);
  // The other remedy, for an exception that says for itself whether to retry.
  auto const speaks_up = throws(says_maybe{});
  auto const told =
      follow<codes,
             anew::any_of<anew::error_code_classifier, anew::retry_info_on<drive_why_not_retried_test::says_maybe>>>(
          speaks_up);
  EXPECT_TRUE(says(told.text,
                   ", or anew::any_of<anew::error_code_classifier, "
                   "anew::retry_info_on<drive_why_not_retried_test::says_maybe>> if it says"))
      << told.text;
  EXPECT_EQ(told.undeclared, 1U);
  EXPECT_EQ(told.idempotent, 3U);
  ++advice_followed;
  std::printf("%d remedies applied, each right\n", advice_followed);
}

/// The advised classifier reads `lost`, and retries `known` as `own` does.
template <class C, class Advised, class Known>
void expect_good_advice(C const& own, Advised const& advised, char const* text, Known const& known) {
  auto const fail = [&known] { return throw lost{}, known(); };
  auto const told = why_not_retried(anew::compose(own, anew::no_backoff{}), std::make_exception_ptr(lost{}));
  EXPECT_TRUE(says(told, text)) << told;
  auto const strategy = anew::compose(advised, anew::no_backoff{});
  EXPECT_EQ(anew::retry_outcome(strategy, fail).attempts(), 1U) << text;
  EXPECT_EQ(anew::retry_outcome(strategy, anew::idempotent(fail)).attempts(), 3U) << text;
  EXPECT_EQ(anew::retry_outcome(strategy, anew::idempotent(known)).attempts(), 3U) << text;
}
#define EXPECT_GOOD_ADVICE_BESIDE(known, ...)                                                                 \
  expect_good_advice(__VA_ARGS__{}, anew::any_of<__VA_ARGS__, anew::idempotent_only<anew::retry_on<lost>>>{}, \
                     "compose anew::any_of<" #__VA_ARGS__                                                     \
                     ", anew::idempotent_only<anew::retry_on<drive_why_not_retried_test::lost>>>",            \
                     known)

struct is_busy {
  bool operator()(std::system_error const& error) const { return error.code() == std::errc::device_or_resource_busy; }
};
struct is_pending {
  bool operator()(int rows) const { return rows == 0; }
};
struct response {
  int code_of_http;
  [[nodiscard]] int status() const { return code_of_http; }
};

TEST(WhyNotRetried, WhatItAdvisesBesideAClassifierOfTheCatalogueIsRight) {
  using drive_why_not_retried_test::is_busy;
  using drive_why_not_retried_test::is_pending;
  auto const busy = [] { throw std::system_error{make_error_code(std::errc::device_or_resource_busy)}; };
  auto const missing = [] { throw std::system_error{make_error_code(std::errc::no_such_file_or_directory)}; };
  auto const away = [] { throw refused_connection(); };
  auto const answers = [](auto const& result) { return [result] { return result; }; };
  auto const unavailable = answers(response{503});
  EXPECT_GOOD_ADVICE_BESIDE(missing, anew::retry_on_codes<std::errc{2}>);
  EXPECT_GOOD_ADVICE_BESIDE(busy, anew::retry_if<drive_why_not_retried_test::is_busy>);
  EXPECT_GOOD_ADVICE_BESIDE(missing, anew::not_<anew::retry_if<drive_why_not_retried_test::is_busy>>);
  EXPECT_GOOD_ADVICE_BESIDE(answers(0), anew::retry_while<drive_why_not_retried_test::is_pending>);
  EXPECT_GOOD_ADVICE_BESIDE(
      away, anew::any_of<anew::error_code_classifier, anew::retry_if<drive_why_not_retried_test::is_busy>>);
  EXPECT_GOOD_ADVICE_BESIDE(busy,
                            anew::first_of<anew::retry_if<drive_why_not_retried_test::is_busy>, anew::retry_on<int>>);
  EXPECT_GOOD_ADVICE_BESIDE(busy, anew::idempotent_only<anew::retry_on<std::system_error>, anew::never_sent>);
  EXPECT_GOOD_ADVICE_BESIDE(away, anew::caused_by<anew::error_code_classifier>);
  EXPECT_GOOD_ADVICE_BESIDE([] { throw says_maybe{}; }, anew::retry_info_on<drive_why_not_retried_test::says_maybe>);
  EXPECT_GOOD_ADVICE_BESIDE(unavailable, anew::http_status_classifier<503>);
  EXPECT_GOOD_ADVICE_BESIDE(unavailable, anew::aws::code_classifier<anew::aws::generation{1}>);
  EXPECT_GOOD_ADVICE_BESIDE([] { throw by_public{}; }, anew::smithy::guide_classifier);
  // A type says nothing of the values that a classifier holds.
  auto const beside = [](auto const& own, auto const& known) {
    expect_good_advice(own, anew::any_of{own, anew::idempotent_only<anew::retry_on<lost>>{}},
                       "compose anew::any_of{your_classifier, "
                       "anew::idempotent_only<anew::retry_on<drive_why_not_retried_test::lost>>{}}",
                       known);
  };
  beside(anew::http_statuses{418}, answers(response{418}));
  beside(anew::http::classifier<anew::http_statuses>{anew::http_statuses{418}}, answers(response{418}));
  beside(anew::retry_if{+[](std::system_error const& error) { return is_busy{}(error); }}, busy);
  beside(anew::grpc::status_classifier<anew::grpc::codes(anew::grpc::status_code::aborted)>{},
         answers(anew::grpc::status_code::aborted));
  beside(
      anew::choice<anew::roles::classifier, anew::retry_on<int>, anew::error_code_classifier>{
          anew::error_code_classifier{}},
      away);
  beside(anew::step_functions::retriers{{{.error_equals = {"States.Timeout"}}}},
         [] { throw anew::step_functions::task_error{"States.Timeout"}; });
}

TEST(WhyNotRetried, WhatItAdvisesOfAProgrammersErrorIsRight) {
  using all = anew::strategy<anew::retry_all>;
  using of_exceptions = anew::strategy<anew::retry_on<std::exception>>;
  int advice_followed = 0;
  auto const index = [] { throw std::out_of_range{"index"}; };
  auto const says_first_of = [&]<class S, class C>(std::type_identity<S>, std::type_identity<C>, char const* text) {
    auto const told = follow<S, C>(index);
    EXPECT_TRUE(says(told.text, text)) << told.text;
    EXPECT_EQ(told.undeclared, 1U);
    EXPECT_EQ(told.idempotent, 3U);
    ++advice_followed;
  };
#define FIRST_OF(S, ...) \
  says_first_of(std::type_identity<S>{}, std::type_identity<__VA_ARGS__>{}, "as in " #__VA_ARGS__)
  FIRST_OF(all, anew::first_of<anew::idempotent_only<anew::retry_on<std::out_of_range>>, anew::retry_all>);
  FIRST_OF(of_exceptions,
           anew::first_of<anew::idempotent_only<anew::retry_on<std::out_of_range>>, anew::retry_on<std::exception>>);
  EXPECT_EQ(advice_followed, 2);
}

TEST(WhyNotRetried, NamesWhatWasThrownWithACause) {
  auto const text = why(by_default{}, [] { fail_because_of(refused_connection()); });
  EXPECT_TRUE(
      text.starts_with("drive_why_not_retried_test::wrap was thrown, which anew::retry_info_classifier does not read: "
                       "its cause, std::system_error, is not read either; compose anew::caused_by<"))
      << text;
  auto const unnamed = anew::compose(anew::retry_if{[](lost const&) { return true; }});
  auto const of_unnamed = why(unnamed, [] { fail_because_of(7); });
  EXPECT_TRUE(of_unnamed.ends_with(
      "compose anew::caused_by{anew::any_of{your_classifier, anew::idempotent_only<anew::retry_on<int>>{}}}"))
      << of_unnamed;
  auto const of_const = why(by_default{}, [] {
    std::runtime_error const outer{"x"};
    try {
      throw 7;
    } catch (...) {
      std::throw_with_nested(outer);
    }
  });
  EXPECT_TRUE(of_const.starts_with("std::runtime_error was thrown")) << of_const;
}

TEST(WhyNotRetried, NamesNoPointerToAnObject) {
  static lost one;
  EXPECT_TRUE(says(why_of(&one), "throw the object itself")) << why_of(&one);
  EXPECT_TRUE(says(why_of("text"), "anew::retry_on<char const*>"));
}
#endif

#if defined(__GLIBCXX__) && defined(__cpp_rtti)
TEST(WhyNotRetried, SeesPrivateInheritance) {
  EXPECT_TRUE(says(why_of(by_private{}), privately)) << why_of(by_private{});
  EXPECT_TRUE(says(why_of(by_omission{}), privately)) << "the only base";
  EXPECT_TRUE(says(why_of(deeper{}), privately));
  EXPECT_TRUE(says(why_of(by_protected{}), privately));
  EXPECT_TRUE(says(why_of(by_private_virtual{}), privately));
  EXPECT_FALSE(says(why_of(std::runtime_error{"x"}), "inherits"));
  // The other way to the base is ambiguous for a catch clause. One of them is public, and so not the reason.
  EXPECT_FALSE(says(why_of(both_ways{}), "privately"));
#if HAS_BOOST_SYSTEM
  EXPECT_TRUE(says(why_of(their_error{boost::system::error_code{}}), of_boost));
#endif
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

struct named_bug : std::logic_error {
  explicit named_bug(int code) : std::logic_error{"x"}, status{code} {}
  int status;
};
struct bug_that_speaks : std::logic_error, anew::retry_info {
  bug_that_speaks() : std::logic_error{"x"} {}
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::no; }
};

#if defined(__cpp_rtti)
TEST(WhyNotRetried, ARefusalByNameIsNotForAProgrammersError) {
  constexpr auto refused = "failed: another attempt cannot help";
  using by_status = anew::with<anew::http::standard, anew::http::statuses_and<named_bug>>;
  using by_rule = anew::strategy<anew::retry_if<decltype([](named_bug const& e) { return e.status == 1; })>>;
  EXPECT_EQ(why(by_status{}, []() -> unsigned { throw named_bug{404}; }), refused);
  EXPECT_EQ(why(by_rule{}, [] { throw named_bug{2}; }), refused);
  EXPECT_EQ(why_of(bug_that_speaks{}), refused);
  EXPECT_EQ(why(anew::strategy<anew::retry_on<bug_that_speaks>>{}, [] { throw bug_that_speaks{}; }), refused);
  EXPECT_TRUE(says(why(anew::strategy<anew::retry_on<std::exception>>{}, [] { throw named_bug{1}; }), "derives from"));
  // The clause for retry_info comes after the one for std::logic_error, so that it is not asked.
  using bugs_first = anew::strategy<anew::first_of<anew::retry_all, anew::retry_info_classifier>>;
  EXPECT_TRUE(says(why(bugs_first{}, [] { throw bug_that_speaks{}; }), "derives from"));
}
#endif

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
  auto const undecided = anew::compose(anew::retry_if{[](int) { return anew::directive::no_opinion(); }});
  EXPECT_EQ(why(undecided, [] { return 1; }), "failed: the classifier has no opinion on this result");
  EXPECT_EQ(why_not_retried(by_default{}, std::exception_ptr{}), "");
  EXPECT_TRUE(says(why_not_retried(by_default{}, std::make_exception_ptr(7)), "int was thrown"));
}

}  // namespace
}  // namespace drive_why_not_retried_test
