// SPDX-License-Identifier: BSL-1.0
#include <future>
#include <ios>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/error_code.hpp"
#include "anew/classifier/retry_on_codes.hpp"

namespace classifier_error_code_test {
namespace {

using anew::directive;
using anew::error_code_classifier;
using anew::error_kind;
using anew::failure;
using anew::retry_on_codes;
using anew::retry_safety;

enum class store { fine, busy, slow, gone, lost };
enum class store_condition { never, tired };

/// A category of a library's own: two of its codes are mapped to the generic category, each in another way.
struct store_category_type : std::error_category {
  [[nodiscard]] char const* name() const noexcept override { return "store"; }
  [[nodiscard]] std::string message(int /*code*/) const override { return "store"; }
  [[nodiscard]] std::error_condition default_error_condition(int code) const noexcept override {
    if (static_cast<store>(code) == store::slow) return std::errc::timed_out;
    return {code, *this};
  }
  [[nodiscard]] bool equivalent(int code, std::error_condition const& condition) const noexcept override {
    if (static_cast<store>(code) == store::lost && condition == std::errc::connection_reset) return true;
    return std::error_category::equivalent(code, condition);
  }
};
std::error_category const& store_category() {
  static store_category_type const category;
  return category;
}
/// A condition that codes of several categories meet.
struct tired_category_type : std::error_category {
  [[nodiscard]] char const* name() const noexcept override { return "tired"; }
  [[nodiscard]] std::string message(int /*code*/) const override { return "tired"; }
  [[nodiscard]] bool equivalent(std::error_code const& code, int condition) const noexcept override {
    return condition == static_cast<int>(store_condition::tired) &&
           (code == std::errc::timed_out || code == std::error_code{static_cast<int>(store::busy), store_category()});
  }
};
std::error_category const& tired_category() {
  static tired_category_type const category;
  return category;
}
std::error_code make_error_code(store code) { return {static_cast<int>(code), store_category()}; }
std::error_condition make_error_condition(store_condition condition) {
  return {static_cast<int>(condition), tired_category()};
}

}  // namespace
}  // namespace classifier_error_code_test

template <>
struct std::is_error_code_enum<classifier_error_code_test::store> : std::true_type {};
template <>
struct std::is_error_condition_enum<classifier_error_code_test::store_condition> : std::true_type {};

namespace classifier_error_code_test {
namespace {

failure is(error_kind kind, retry_safety safety) { return {kind, safety, std::nullopt}; }

TEST(ErrorCode, TheTableAndNothingElse) {
  using enum std::errc;
  auto const sent_or_not = is(error_kind::transient, retry_safety::maybe);
  auto const never_sent = is(error_kind::transient, retry_safety::yes);
  std::map<int, failure> const expected{
      {static_cast<int>(timed_out), is(error_kind::timeout, retry_safety::maybe)},
      {static_cast<int>(connection_reset), sent_or_not},
      {static_cast<int>(connection_aborted), sent_or_not},
      {static_cast<int>(network_reset), sent_or_not},
      {static_cast<int>(broken_pipe), sent_or_not},
      {static_cast<int>(resource_unavailable_try_again), sent_or_not},
      {static_cast<int>(operation_would_block), sent_or_not},
      {static_cast<int>(interrupted), sent_or_not},
      {static_cast<int>(no_buffer_space), sent_or_not},
      {static_cast<int>(connection_refused), never_sent},
      {static_cast<int>(host_unreachable), sent_or_not},
      {static_cast<int>(network_unreachable), sent_or_not},
      {static_cast<int>(network_down), never_sent},
      {static_cast<int>(address_not_available), never_sent},
      {static_cast<int>(device_or_resource_busy), never_sent},
  };
  int retried = 0;
  for (int code = 0; code != 200; ++code) {
    auto const known = expected.find(code);
    auto const want = known != expected.end() ? directive::retry(known->second) : directive::fail();
    retried += want.is_retry() ? 1 : 0;
    EXPECT_EQ(error_code_classifier::classify(static_cast<std::errc>(code)), want) << code;
    EXPECT_EQ(error_code_classifier::classify(std::error_code{code, std::generic_category()}), want) << code;
    EXPECT_EQ(error_code_classifier::classify(std::error_code{code, std::system_category()}), want) << code;
    EXPECT_EQ(error_code_classifier::classify(std::error_condition{code, std::generic_category()}), want) << code;
    EXPECT_EQ(error_code_classifier::classify(std::system_error{code, std::generic_category()}), want) << code;
  }
  EXPECT_EQ(retried, static_cast<int>(expected.size()));
}

// The number alone says nothing: the same one means something else in another category.
TEST(ErrorCode, ACategoryOfItsOwnIsAskedWhatItsCodesMean) {
  auto const refused = static_cast<int>(std::errc::connection_refused);
  EXPECT_EQ(error_code_classifier::classify(std::error_code{refused, store_category()}), directive::fail());
  EXPECT_EQ(error_code_classifier::classify(store::gone), directive::fail());
  EXPECT_EQ(error_code_classifier::classify(store::slow),
            directive::retry(is(error_kind::timeout, retry_safety::maybe)));
  EXPECT_EQ(error_code_classifier::classify(make_error_code(store::lost)),
            directive::retry(is(error_kind::transient, retry_safety::maybe)));
  EXPECT_EQ(error_code_classifier::classify(store_condition::tired), directive::fail());
  EXPECT_EQ(error_code_classifier::classify(std::io_errc::stream), directive::fail());
  EXPECT_EQ(error_code_classifier::classify(std::future_errc::broken_promise), directive::fail());
}

TEST(ErrorCode, ReadsCodesOnly) {
  using c = error_code_classifier;
  static_assert(anew::ClassifierOf<c, std::error_code> && anew::ClassifierOf<c, std::error_condition>);
  static_assert(anew::ClassifierOf<c, std::errc> && anew::ClassifierOf<c, std::io_errc>);
  static_assert(anew::ClassifierOf<c, store> && anew::ClassifierOf<c, store_condition>);
  static_assert(anew::ClassifierOf<c, std::system_error> && anew::ClassifierOf<c, std::ios_base::failure>);
  static_assert(!anew::ClassifierOf<c, int> && !anew::ClassifierOf<c, error_kind>);
  static_assert(!anew::ClassifierOf<c, std::runtime_error> && !anew::ClassifierOf<c, anew::unknown_exception>);
  static_assert(!anew::detail::ReadsResult<c, std::error_code>);
  static_assert(std::is_same_v<c::catches, anew::catch_list<std::system_error>> && std::is_empty_v<c>);
  EXPECT_EQ(c::describe(), "error_code");
}

TEST(RetryOnCodes, TheNamedOnesAndNoOther) {
  using c = retry_on_codes<std::errc::timed_out, std::errc::file_exists>;
  EXPECT_EQ(c::classify(std::errc::timed_out), directive::retry(error_kind::timeout));
  EXPECT_EQ(c::classify(std::errc::file_exists), directive::retry(error_kind::transient));
  EXPECT_EQ(c::classify(std::errc::connection_refused), directive::fail());
  EXPECT_EQ(c::classify(std::make_error_code(std::errc::file_exists)), directive::retry(error_kind::transient));
  EXPECT_EQ(c::classify(std::make_error_condition(std::errc::file_exists)), directive::retry(error_kind::transient));
  EXPECT_EQ(c::classify(std::system_error{std::make_error_code(std::errc::timed_out)}),
            directive::retry(error_kind::timeout));
  EXPECT_EQ(c::classify(std::error_code{}), directive::fail());
}

TEST(RetryOnCodes, AConditionFitsCodesOfEveryCategoryAndACodeItself) {
  using by_condition = retry_on_codes<std::errc::timed_out>;
  EXPECT_EQ(by_condition::classify(store::slow), directive::retry(error_kind::timeout));
  EXPECT_EQ(by_condition::classify(store::busy), directive::fail());
  using by_code = retry_on_codes<store::busy, store::slow>;
  EXPECT_EQ(by_code::classify(store::busy), directive::retry(error_kind::transient));
  EXPECT_EQ(by_code::classify(store::slow), directive::retry(error_kind::timeout));
  EXPECT_EQ(by_code::classify(store::gone), directive::fail());
  EXPECT_EQ(by_code::classify(std::make_error_code(std::errc::timed_out)), directive::fail());  // not the store's
  EXPECT_EQ(by_code::classify(std::errc::timed_out),
            directive::retry(error_kind::timeout));  // the condition that it is
  using by_own_condition = retry_on_codes<store_condition::tired>;
  EXPECT_EQ(by_own_condition::classify(store::busy), directive::retry(error_kind::transient));
  EXPECT_EQ(by_own_condition::classify(std::error_code{ETIMEDOUT, std::system_category()}),
            directive::retry(error_kind::timeout));
  EXPECT_EQ(by_own_condition::classify(store::gone), directive::fail());
}

TEST(RetryOnCodes, DescribesItselfAndIsRefusedWithoutCodes) {
  using c = retry_on_codes<store::busy, std::errc::timed_out>;
  EXPECT_EQ(c::describe(), "retry_on_codes(store:1,generic:" + std::to_string(ETIMEDOUT) + ")");
  static_assert(std::is_empty_v<c> && anew::Composable<c>);
  static_assert(std::is_same_v<c::catches, anew::catch_list<std::system_error>>);
  static_assert(!anew::Composable<retry_on_codes<>> && !anew::Composable<retry_on_codes<110>>);
  static_assert(!anew::Composable<retry_on_codes<std::errc::timed_out, error_kind::timeout>>);
  static_assert(!anew::ClassifierOf<c, int>);
}

}  // namespace
}  // namespace classifier_error_code_test
