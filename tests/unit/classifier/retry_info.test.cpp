// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/retry_info.hpp"

namespace classifier_retry_info_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::error_kind;
using anew::failure;
using anew::retry_info_classifier;
using anew::retry_safety;

struct error {
  retry_safety safety;
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] static bool is_throttle() { return true; }
  [[nodiscard]] static std::optional<anew::duration> retry_after() { return 2s; }
};

struct busy : anew::retry_info {
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::maybe; }
  [[nodiscard]] bool is_timeout() const override { return true; }
};

struct vendor_error {
  int code;
};
struct silent_error {};

}  // namespace
}  // namespace classifier_retry_info_test

template <>
struct anew::retry_traits<classifier_retry_info_test::vendor_error> {
  static retry_safety is_retry_safe(classifier_retry_info_test::vendor_error const& e) {
    return e.code > 0 ? retry_safety::yes : retry_safety::no;
  }
};

namespace classifier_retry_info_test {
namespace {

TEST(RetryInfoClassifier, BelievesTheError) {
  constexpr retry_info_classifier c;
  EXPECT_EQ(c.classify(error{retry_safety::yes}),
            directive::retry(failure{error_kind::throttling, retry_safety::yes, 2s}));
  EXPECT_EQ(c.classify(error{retry_safety::maybe}),
            directive::retry(failure{error_kind::throttling, retry_safety::maybe, 2s}));
  EXPECT_EQ(c.classify(error{retry_safety::no}), directive::fail());
}

TEST(RetryInfoClassifier, BelievesTheTraits) {
  EXPECT_EQ(retry_info_classifier::classify(vendor_error{1}), directive::retry(error_kind::transient));
  EXPECT_EQ(retry_info_classifier::classify(vendor_error{0}), directive::fail());
}

TEST(RetryInfoClassifier, ReadsAnExceptionByItsBase) {
  busy const e{};
  anew::retry_info const& base = e;
  EXPECT_EQ(retry_info_classifier::classify(base),
            directive::retry(failure{error_kind::timeout, retry_safety::maybe, {}}));
}

TEST(RetryInfoClassifier, CannotReadWhatSaysNothing) {
  static_assert(anew::ClassifierOf<retry_info_classifier, error>);
  static_assert(anew::ClassifierOf<retry_info_classifier, vendor_error>);
  static_assert(anew::ClassifierOf<retry_info_classifier, anew::retry_info>);
  static_assert(!anew::ClassifierOf<retry_info_classifier, silent_error>);
  static_assert(!anew::ClassifierOf<retry_info_classifier, int>);
  static_assert(!anew::ClassifierOf<retry_info_classifier, std::string>);
  static_assert(!anew::ClassifierOf<retry_info_classifier, anew::unknown_exception>);
  static_assert(std::is_same_v<retry_info_classifier::catches, anew::catch_list<anew::retry_info>>);
  EXPECT_EQ(retry_info_classifier::describe(), "retry_info");
}

}  // namespace
}  // namespace classifier_retry_info_test
