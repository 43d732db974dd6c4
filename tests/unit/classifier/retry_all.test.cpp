// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/retry_all.hpp"

namespace classifier_retry_all_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::error_kind;
using anew::retry_all;
using anew::retry_safety;

struct pessimist {
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::no; }
  [[nodiscard]] static bool is_throttle() { return true; }
  [[nodiscard]] static std::optional<anew::duration> retry_after() { return 3s; }
};

TEST(RetryAll, EveryErrorIsTransientAndSafe) {
  EXPECT_EQ(retry_all::classify(0), directive::retry(error_kind::transient));
  EXPECT_EQ(retry_all::classify(std::string{"any"}), directive::retry(error_kind::transient));
  EXPECT_EQ(retry_all::classify(anew::unknown_exception{}), directive::retry(error_kind::transient));
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
  static_assert(std::is_same_v<retry_all::catches, anew::catch_list<std::logic_error>>);
}

TEST(RetryAll, AHintIsStillHeard) {
  EXPECT_EQ(retry_all::classify(pessimist{}), directive::retry(error_kind::transient, 3s));
}

TEST(RetryAll, ReadsExceptionsOfEveryType) {
  static_assert(anew::ClassifierOf<retry_all, anew::unknown_exception>);
  static_assert(!anew::detail::ReadsResult<retry_all, int>);
  EXPECT_EQ(retry_all::describe(), "retry_all");
}

}  // namespace
}  // namespace classifier_retry_all_test
