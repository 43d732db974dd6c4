// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "anew/smithy_kotlin/retry_directive.hpp"

namespace smithy_kotlin_retry_directive_test {
namespace {

using namespace std::chrono_literals;
using anew::error_kind;
using anew::smithy_kotlin::retry_directive;
using anew::smithy_kotlin::retry_error_type;
using anew::smithy_kotlin::to_error_kind;
using anew::smithy_kotlin::to_retry_error_type;

constexpr retry_error_type all_types[] = {retry_error_type::server_side, retry_error_type::client_side,
                                          retry_error_type::throttling, retry_error_type::timeout,
                                          retry_error_type::transient};

TEST(RetryDirective, ThreeAnswers) {
  constexpr auto good = retry_directive::terminate_and_succeed;
  constexpr auto bad = retry_directive::terminate_and_fail;
  constexpr auto again = retry_directive::retry_error(retry_error_type::throttling, 3s);
  static_assert(good.is_success() && !good.is_failure() && !good.is_retry());
  static_assert(bad.is_failure() && !bad.is_success() && !bad.is_retry());
  static_assert(again.is_retry() && !again.is_success() && !again.is_failure());
  static_assert(again.reason() == retry_error_type::throttling && again.retry_after() == 3s);
  static_assert(!retry_directive::retry_error(retry_error_type::timeout).retry_after());
  EXPECT_NE(good, bad);
  EXPECT_NE(good, again);
  EXPECT_NE(again, retry_directive::retry_error(retry_error_type::throttling));
  EXPECT_NE(again, retry_directive::retry_error(retry_error_type::timeout, 3s));
  EXPECT_EQ(again, retry_directive::retry_error(retry_error_type::throttling, 3s));
}

TEST(RetryDirective, TypesAndKindsAreTheSameInOtherWords) {
  EXPECT_EQ(to_error_kind(retry_error_type::server_side), error_kind::server);
  EXPECT_EQ(to_error_kind(retry_error_type::client_side), error_kind::client);
  EXPECT_EQ(to_error_kind(retry_error_type::throttling), error_kind::throttling);
  EXPECT_EQ(to_error_kind(retry_error_type::timeout), error_kind::timeout);
  EXPECT_EQ(to_error_kind(retry_error_type::transient), error_kind::transient);
  for (auto const type : all_types) EXPECT_EQ(to_retry_error_type(to_error_kind(type)), type);
}

TEST(RetryDirective, EveryTypeHasAName) {
  std::set<std::string> names;
  for (auto const type : all_types) names.insert(to_string(type));
  EXPECT_EQ(names, (std::set<std::string>{"server_side", "client_side", "throttling", "timeout", "transient"}));
  EXPECT_STREQ(to_string(retry_error_type{99}), "unknown");
}

TEST(RetryDirective, IsADirective) {
  using anew::directive;
  EXPECT_EQ(to_directive(retry_directive::terminate_and_succeed), directive::succeed());
  EXPECT_EQ(to_directive(retry_directive::terminate_and_fail), directive::fail());
  EXPECT_EQ(to_directive(retry_directive::retry_error(retry_error_type::timeout, 3s)),
            directive::retry(error_kind::timeout, 3s));
}

}  // namespace
}  // namespace smithy_kotlin_retry_directive_test
