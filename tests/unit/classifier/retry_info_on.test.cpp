// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies.hpp"

#include "call_ending.hpp"
#include "driver_support.hpp"
#include "names.hpp"

namespace classifier_retry_info_on_test {

namespace theirs {

struct fault {
  int number = 0;
};

}  // namespace theirs
}  // namespace classifier_retry_info_on_test

template <>
struct anew::retry_traits<classifier_retry_info_on_test::theirs::fault> {
  static retry_safety is_retry_safe(classifier_retry_info_on_test::theirs::fault const& e) {
    return e.number < 0 ? retry_safety::no : retry_safety::yes;
  }
  static bool is_throttle(classifier_retry_info_on_test::theirs::fault const& e) { return e.number == 429; }
  static std::optional<duration> retry_after(classifier_retry_info_on_test::theirs::fault const& e) {
    return e.number == 429 ? std::optional{duration{2'000'000'000}} : std::nullopt;
  }
};

namespace classifier_retry_info_on_test {
namespace {

using anew::retry_info_on;
using support::end_of, support::final, support::retried, support::throwing, support::undeclared, support::unread;

/// Speaks for itself, and derives from nothing of anew's.
struct busy : std::runtime_error {
  explicit busy(retry_safety s) : std::runtime_error{"busy"}, safety{s} {}
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] static bool is_throttle() { return true; }
  [[nodiscard]] static std::optional<anew::duration> retry_after() { return 3s; }
  retry_safety safety;
};
struct very_busy : busy {
  using busy::busy;
  [[nodiscard]] static bool is_throttle() { return false; }
};
struct by_base : std::runtime_error, anew::retry_info {
  by_base() : std::runtime_error{"x"} {}
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::yes; }
};
static_assert(std::is_empty_v<retry_info_on<busy>> && anew::Composable<retry_info_on<busy, theirs::fault>>);
static_assert(!anew::Composable<retry_info_on<>> && !anew::Composable<retry_info_on<int>>);
static_assert(!anew::Composable<retry_info_on<busy, std::runtime_error>> && !anew::Composable<retry_info_on<busy&>>);

TEST(RetryInfoOn, HearsWhatTheDefaultDoesNotSee) {
  EXPECT_EQ(end_of(anew::retry_info_classifier{}, throwing(busy{retry_safety::yes})), unread);
  EXPECT_EQ(end_of(retry_info_on<busy>{}, throwing(busy{retry_safety::yes})), retried);
  EXPECT_EQ(end_of(retry_info_on<busy>{}, throwing(busy{retry_safety::maybe})), undeclared);
  EXPECT_EQ(end_of(retry_info_on<busy>{}, anew::idempotent(throwing(busy{retry_safety::maybe}))), retried);
  EXPECT_EQ(end_of(retry_info_on<busy>{}, throwing(busy{retry_safety::no})), final);
  EXPECT_EQ(end_of(retry_info_on<theirs::fault>{}, throwing(theirs::fault{1})), retried);
  EXPECT_EQ(end_of(retry_info_on<theirs::fault>{}, throwing(theirs::fault{-1})), final);
}

TEST(RetryInfoOn, IsTheDefaultBesides) {
  EXPECT_EQ(end_of(retry_info_on<busy>{}, throwing(by_base{})), retried);
  EXPECT_EQ(retry_info_on<busy>{}.classify(theirs::fault{-1}), directive::fail()) << "errors that are returned";
  EXPECT_TRUE(retry_info_on<busy>{}.classify(theirs::fault{1}).is_retry());
}

TEST(RetryInfoOn, AsksForKindAndHint) {
  auto const what = retry_info_on<busy>{}.classify(busy{retry_safety::yes}).what();
  EXPECT_EQ(what.kind, error_kind::throttling);
  EXPECT_EQ(what.hint, 3s);
  auto const told = retry_info_on<theirs::fault>{}.classify(theirs::fault{429}).what();
  EXPECT_EQ(told.kind, error_kind::throttling);
  EXPECT_EQ(told.hint, 2s);
  EXPECT_EQ(retry_info_on<busy>::describe(), "retry_info_on(1)");
}

TEST(RetryInfoOn, CatchesADerivedTypeBeforeItsBaseInWhateverOrder) {
  static_assert(
      std::is_same_v<retry_info_on<busy, very_busy>::catches, anew::catch_list<very_busy, busy, anew::retry_info>>);
  EXPECT_EQ(end_of(retry_info_on<busy, very_busy>{}, throwing(very_busy{retry_safety::yes})), retried);
  EXPECT_EQ(end_of(retry_info_on<busy>{}, throwing(very_busy{retry_safety::yes})), retried);
}

}  // namespace
}  // namespace classifier_retry_info_on_test
