// SPDX-License-Identifier: BSL-1.0
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "anew/smithy_kotlin/attempt_result.hpp"

namespace smithy_kotlin_attempt_result_test {
namespace {

using anew::smithy_kotlin::attempt_result;
using anew::smithy_kotlin::if_exception;

TEST(AttemptResult, OfABlockThatReturns) {
  auto const result = attempt_result<std::string>::of([] { return "page"; });
  EXPECT_TRUE(result.has_value());
  EXPECT_TRUE(result);
  EXPECT_EQ(result.exception(), nullptr);
  EXPECT_EQ(result.value(), "page");
  static_assert(std::is_same_v<decltype(result.value()), std::string const&>);
}

TEST(AttemptResult, OfABlockThatThrows) {
  auto const result = attempt_result<int>::of([]() -> int { throw std::out_of_range{"seven"}; });
  EXPECT_FALSE(result.has_value());
  ASSERT_NE(result.exception(), nullptr);
  EXPECT_THROW(static_cast<void>(result.value()), std::out_of_range);
  EXPECT_TRUE(result.threw<std::out_of_range>());
  EXPECT_TRUE(result.threw<std::exception>());
  EXPECT_FALSE(result.threw<std::bad_alloc>());
}

TEST(AttemptResult, OfNothing) {
  int runs = 0;
  auto const good = attempt_result<void>::of([&] { ++runs; });
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(good.has_value());
  good.value();
  EXPECT_FALSE(good.threw<std::exception>());
  auto bad = attempt_result<void>::of([] { throw 7; });
  EXPECT_FALSE(bad.has_value());
  EXPECT_TRUE(bad.threw<int>());
  EXPECT_THROW(bad.value(), int);
  EXPECT_THROW(std::move(bad).value(), int);
}

TEST(AttemptResult, ResultsThatCanOnlyBeMoved) {
  auto result = attempt_result<std::unique_ptr<int>>::of([] { return std::make_unique<int>(5); });
  auto moved = std::move(result);
  auto const owner = std::move(moved).value();
  EXPECT_EQ(*owner, 5);
}

TEST(AttemptResult, MadeByHand) {
  EXPECT_EQ(attempt_result<std::string>::success(3U, 'x').value(), "xxx");
  EXPECT_TRUE(attempt_result<void>::success().has_value());
  auto const failure = attempt_result<int>::failure(std::make_exception_ptr(std::string{"no"}));
  EXPECT_TRUE(failure.threw<std::string>());
}

TEST(IfException, LooksAtWhatItNamesOnly) {
  auto const thrown = std::make_exception_ptr(std::out_of_range{"seven"});
  EXPECT_EQ(if_exception<std::logic_error>(thrown, [](auto const& e) { return std::string{e.what()}; }), "seven");
  EXPECT_EQ(if_exception<std::bad_alloc>(thrown, [](auto const&) { return 1; }), std::nullopt);
  EXPECT_EQ(if_exception<std::exception>(nullptr, [](auto const&) { return 1; }), std::nullopt);
}

TEST(IfException, WhatTheLookThrowsPasses) {
  auto const thrown = std::make_exception_ptr(1);
  EXPECT_THROW(if_exception<int>(thrown, [](int) -> int { throw std::bad_alloc{}; }), std::bad_alloc);
}

}  // namespace
}  // namespace smithy_kotlin_attempt_result_test
