// SPDX-License-Identifier: BSL-1.0
// Combined classifiers in a call: what is thrown meets the right one, be it by a base, and results and exceptions meet in
// one rule.
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/caused_by.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/first_of.hpp"
#include "anew/policies/classifier/idempotent_only.hpp"
#include "anew/policies/classifier/not.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "call_ending.hpp"
#include "driver_support.hpp"

namespace classifier_driven_test {
namespace {

using anew::any_of;
using anew::retry_if;
using anew::retry_on;
using support::end_of;
using support::final;
using support::retried;
using support::succeeded;
using support::throwing;
using support::undeclared;
using support::unread;

/// As much of `std::expected` as is read.
template <class Value, class Error>
class expected {
 public:
  expected(Value value) : value_{std::move(value)} {}
  expected(Error error) : error_{std::move(error)} {}
  [[nodiscard]] bool has_value() const { return value_.has_value(); }
  [[nodiscard]] Error const& error() const { return *error_; }

 private:
  std::optional<Value> value_{};
  std::optional<Error> error_{};
};

std::system_error code(std::errc condition) { return std::system_error{std::make_error_code(condition)}; }

struct busy : std::runtime_error, anew::retry_info {
  explicit busy(anew::retry_safety s) : std::runtime_error{"busy"}, safety{s} {}
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return safety; }
  anew::retry_safety safety;
};

TEST(DrivenRetryOn, ProgrammersErrorsAreFinalUnlessNamed) {
  EXPECT_EQ(end_of(retry_on<std::exception>{}, throwing(std::logic_error{"x"})), final);
  EXPECT_EQ(end_of(retry_on<std::exception>{}, throwing(std::domain_error{"x"})), final);
  EXPECT_EQ(end_of(retry_on<std::exception>{}, throwing(std::runtime_error{"x"})), retried);
  EXPECT_EQ(end_of(retry_on<std::exception>{}, throwing(std::bad_alloc{})), retried);
  EXPECT_EQ(end_of(retry_on<std::exception>{}, throwing(7)), unread);
  EXPECT_EQ(end_of(retry_on<std::logic_error, std::exception>{}, throwing(std::domain_error{"x"})), retried);
  EXPECT_EQ(end_of(retry_on<std::domain_error, std::exception>{}, throwing(std::domain_error{"x"})), retried);
}

TEST(DrivenAnyOf, AnExceptionMeetsWhoeverCatchesItOrABaseOfIt) {
  auto const is_busy = [](std::runtime_error const& e) { return std::string{e.what()} == "busy"; };
  any_of const c{anew::error_code_classifier{}, retry_if{is_busy}};
  EXPECT_EQ(end_of(c, throwing(code(std::errc::connection_refused))), retried);
  EXPECT_EQ(end_of(c, throwing(code(std::errc::permission_denied))), final);
  EXPECT_EQ(end_of(c, throwing(std::runtime_error{"busy"})), retried);
  EXPECT_EQ(end_of(c, throwing(std::range_error{"busy"})), retried);
  EXPECT_EQ(end_of(c, throwing(std::runtime_error{"gone"})), final);
  EXPECT_EQ(end_of(c, throwing(std::logic_error{"busy"})), unread);
  // Caught by the clause for std::system_error, of which the second one knows only the base.
  any_of const by_base{anew::error_code_classifier{}, retry_on<std::runtime_error>{}};
  EXPECT_EQ(end_of(by_base, throwing(code(std::errc::permission_denied))), retried);
  any_of const wide{retry_on<std::runtime_error>{}, retry_on<std::exception>{}};
  EXPECT_EQ(end_of(wide, throwing(std::bad_alloc{})), retried);
  EXPECT_EQ(end_of(wide, throwing(std::logic_error{"x"})), final);
  EXPECT_EQ(end_of(wide, throwing(std::range_error{"x"})), retried);
}

#if defined(__cpp_rtti)
TEST(DrivenAnyOf, AnExceptionMeetsTheClassifierOfItsOtherBase) {
  any_of<retry_if<decltype([](std::runtime_error const&) { return false; })>, anew::retry_info_classifier> const c;
  EXPECT_EQ(end_of(c, throwing(busy{anew::retry_safety::yes})), retried);
  EXPECT_EQ(end_of(c, throwing(busy{anew::retry_safety::maybe})), undeclared);
  EXPECT_EQ(end_of(c, anew::idempotent(throwing(busy{anew::retry_safety::maybe}))), retried);
  EXPECT_EQ(end_of(c, throwing(busy{anew::retry_safety::no})), final);
}
#endif

#if defined(__cpp_rtti)

TEST(DrivenCausedBy, TheExceptionComesBackAsItWasThrown) {
  anew::strategy<anew::caused_by<retry_on<int>>, anew::no_backoff, anew::max_attempts<2>> const strategy;
  anew::testing::recording_sleeper sleep;
  int calls = 0;
  try {
    anew::retry(
        strategy,
        [&calls] {
          try {
            throw ++calls;
          } catch (...) {
            std::throw_with_nested(std::runtime_error{"outside"});
          }
        },
        sleep);
    ADD_FAILURE() << "nothing was thrown";
  } catch (std::runtime_error const& e) {
    EXPECT_STREQ(e.what(), "outside");
    try {
      std::rethrow_if_nested(e);
      ADD_FAILURE() << "the cause is gone";
    } catch (int cause) {
      EXPECT_EQ(cause, 2);
    }
  }
}
#endif

/// One rule over the error of a result, an exception, and a plain value.
struct worth_another_try {
  bool operator()(std::error_code const& error) const { return error == std::errc::timed_out; }
  bool operator()(std::system_error const& error) const { return (*this)(error.code()); }
  bool operator()(int bytes) const { return bytes == 0; }
};

TEST(DrivenTogether, OnePredicateReadsErrorsExceptionsAndValues) {
  using either = expected<int, std::error_code>;
  retry_if<worth_another_try, std::system_error> const c;
  EXPECT_EQ(end_of(c, [] { return either{std::make_error_code(std::errc::timed_out)}; }), retried);
  EXPECT_EQ(end_of(c, [] { return either{std::make_error_code(std::errc::permission_denied)}; }), final);
  EXPECT_EQ(end_of(c, []() -> either { throw code(std::errc::timed_out); }), retried);
  EXPECT_EQ(end_of(c, []() -> either { throw code(std::errc::permission_denied); }), final);
  EXPECT_EQ(end_of(c, [] { return either{0}; }), succeeded);
  // Plain values too, beside exceptions.
  any_of<retry_if<worth_another_try>, retry_if<worth_another_try, std::system_error>> const both;
  EXPECT_EQ(end_of(both, [] { return 0; }), retried);
  EXPECT_EQ(end_of(both, [] { return 5; }), succeeded);
  EXPECT_EQ(end_of(both, []() -> int { throw code(std::errc::timed_out); }), retried);
  EXPECT_EQ(end_of(both, []() -> int { throw code(std::errc::permission_denied); }), final);
}

}  // namespace
}  // namespace classifier_driven_test
