// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>

#include <gtest/gtest.h>

#include "anew/value/directive.hpp"

namespace value_directive_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::error_kind;
using anew::failure;
using anew::retry_safety;

TEST(Directive, IsOneOfThree) {
  static_assert(directive::succeed().is_success() && !directive::succeed().is_failure());
  static_assert(!directive::succeed().is_retry());
  static_assert(directive::fail().is_failure() && !directive::fail().is_success() && !directive::fail().is_retry());
  constexpr auto again = directive::retry(error_kind::server);
  static_assert(again.is_retry() && !again.is_success() && !again.is_failure());
  EXPECT_NE(directive::succeed(), directive::fail());
  EXPECT_NE(directive::fail(), again);
}

TEST(Directive, SaysWhatFailed) {
  EXPECT_EQ(directive::retry(error_kind::server).what(),
            (failure{error_kind::server, retry_safety::yes, std::nullopt}));
  EXPECT_EQ(directive::retry(error_kind::timeout, 3s).what(), (failure{error_kind::timeout, retry_safety::yes, 3s}));
  constexpr failure unsure{error_kind::transient, retry_safety::maybe, 1s};
  EXPECT_EQ(directive::retry(unsure).what(), unsure);
}

}  // namespace
}  // namespace value_directive_test
