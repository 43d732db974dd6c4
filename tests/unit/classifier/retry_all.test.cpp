// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/retry_all.hpp"

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

TEST(RetryAll, AHintIsStillHeard) {
  EXPECT_EQ(retry_all::classify(pessimist{}), directive::retry(error_kind::transient, 3s));
}

TEST(RetryAll, ReadsExceptionsOfEveryType) {
  static_assert(anew::ClassifierOf<retry_all, anew::unknown_exception>);
  static_assert(!anew::detail::ReadsResult<retry_all, int>);
  EXPECT_EQ(retry_all::describe(), "retry_all");
}

}  // namespace
