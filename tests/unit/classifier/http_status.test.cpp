// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/http_status.hpp"

namespace classifier_http_status_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::duration;
using anew::error_kind;
using anew::failure;
using anew::http_status_classifier;
using anew::retry_safety;

struct response {
  int code;
  std::optional<duration> after{};
  [[nodiscard]] int status() const { return code; }
  [[nodiscard]] std::optional<duration> retry_after() const { return after; }
};
struct without_hint {
  std::uint16_t code;
  [[nodiscard]] std::uint16_t status() const { return code; }
};
struct foreign {
  int code;
};
struct both {
  [[nodiscard]] static int status() { return 200; }
};
struct no_status {};
enum class plain_enum { any };

}  // namespace
}  // namespace classifier_http_status_test

template <>
struct anew::http_traits<classifier_http_status_test::foreign> {
  static int status(classifier_http_status_test::foreign const& f) { return f.code; }
  static std::optional<duration> retry_after(classifier_http_status_test::foreign const& f) {
    return std::chrono::seconds{f.code - 500};
  }
};
template <>
struct anew::http_traits<classifier_http_status_test::both> {
  static int status(classifier_http_status_test::both const& /*b*/) { return 429; }
};

namespace classifier_http_status_test {
namespace {

failure is(error_kind kind, retry_safety safety, std::optional<duration> hint = {}) { return {kind, safety, hint}; }

TEST(HttpStatus, TheSixByDefaultAndNoOther) {
  std::set<int> const retried{0, 408, 429, 500, 502, 503, 504};
  for (int status = -1; status <= 1000; ++status) {
    EXPECT_EQ(http_status_classifier<>::classify(status).is_retry(), retried.contains(status)) << status;
    EXPECT_FALSE(http_status_classifier<>::classify(status).is_success()) << status;
  }
}

TEST(HttpStatus, KindAndSafetyOfEach) {
  auto const what = [](int status) { return http_status_classifier<>::classify(status).what(); };
  EXPECT_EQ(what(408), is(error_kind::timeout, retry_safety::yes));
  EXPECT_EQ(what(429), is(error_kind::throttling, retry_safety::yes));
  EXPECT_EQ(what(500), is(error_kind::server, retry_safety::maybe));
  EXPECT_EQ(what(502), is(error_kind::transient, retry_safety::maybe));
  EXPECT_EQ(what(503), is(error_kind::transient, retry_safety::yes));
  EXPECT_EQ(what(504), is(error_kind::timeout, retry_safety::maybe));
}

TEST(HttpStatus, NamedOnesInsteadOfTheDefaults) {
  using c = http_status_classifier<409, 503>;
  EXPECT_EQ(c::classify(409).what(), is(error_kind::transient, retry_safety::maybe));
  EXPECT_EQ(c::classify(503).what(), is(error_kind::transient, retry_safety::yes));
  EXPECT_TRUE(c::classify(429).is_failure());
  EXPECT_TRUE(c::classify(500).is_failure());
  EXPECT_EQ(c::describe(), "http_status(409,503)");
  EXPECT_EQ(http_status_classifier<>::describe(), "http_status(408,429,500,502,503,504)");
  EXPECT_EQ(http_status_classifier<503>::describe(), "http_status(503)");
  EXPECT_TRUE(http_status_classifier<409>::classify(409).is_retry());
  EXPECT_TRUE(http_status_classifier<409>::classify(503).is_failure());
}

TEST(HttpStatus, AResponseBelow400IsASuccess) {
  using c = http_status_classifier<>;
  EXPECT_EQ(c::classify_result(response{99}), directive::fail());
  EXPECT_EQ(c::classify_result(response{100}), directive::succeed());
  EXPECT_EQ(c::classify_result(response{200}), directive::succeed());
  EXPECT_EQ(c::classify_result(response{304}), directive::succeed());
  EXPECT_EQ(c::classify_result(response{399}), directive::succeed());
  EXPECT_EQ(c::classify_result(response{400}), directive::fail());
  EXPECT_EQ(c::classify_result(response{404}), directive::fail());
  EXPECT_TRUE(c::classify_result(response{503}).is_retry());
  EXPECT_EQ(c::classify_result(204), directive::succeed());
  EXPECT_TRUE(c::classify_result(429).is_retry());
}

TEST(HttpStatus, RetryAfterIsHeardAndANegativeOneIsNone) {
  using c = http_status_classifier<>;
  EXPECT_EQ(c::classify(response{503, 7s}).what().hint, 7s);
  EXPECT_EQ(c::classify(response{503, 0s}).what().hint, 0s);
  EXPECT_EQ(c::classify(response{503, -1ns}).what().hint, std::nullopt);
  EXPECT_EQ(c::classify(response{503}).what().hint, std::nullopt);
  EXPECT_EQ(c::classify(without_hint{503}).what().hint, std::nullopt);
  EXPECT_EQ(c::classify(foreign{503}).what().hint, 3s);
  EXPECT_EQ(http_status_classifier<429>::classify(foreign{429}).what().hint, std::nullopt);
}

TEST(HttpStatus, ReadsStatusByTraitsByMemberOrAsANumber) {
  using c = http_status_classifier<>;
  static_assert(anew::ClassifierOf<c, response> && anew::ClassifierOf<c, without_hint>);
  static_assert(anew::ClassifierOf<c, foreign> && anew::ClassifierOf<c, int> && anew::ClassifierOf<c, long>);
  static_assert(!anew::ClassifierOf<c, bool> && !anew::ClassifierOf<c, no_status>);
  static_assert(!anew::ClassifierOf<c, double> && !anew::ClassifierOf<c, plain_enum>);
  static_assert(!anew::ClassifierOf<c, anew::unknown_exception>);
  EXPECT_EQ(c::classify(both{}).what().kind, error_kind::throttling);  // traits win
  EXPECT_TRUE(c::classify(std::int64_t{503}).is_retry());
}

}  // namespace
}  // namespace classifier_http_status_test
