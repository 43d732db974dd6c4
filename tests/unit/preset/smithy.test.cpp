// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/preset/smithy.hpp"
#include "anew/testing/recording_sleeper.hpp"
#include "anew/testing/scripted_random.hpp"

#include "driver_support.hpp"
#include "for_one_call.hpp"

namespace preset_smithy_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::duration;
using anew::error_fault;
using anew::error_kind;
using anew::retry_safety;
using anew::smithy::default_safety;
using anew::smithy::guide_bucket;
using anew::smithy::guide_classifier;
using anew::smithy::guide_example;
using anew::smithy::modeled_error;
using anew::smithy::retryable_trait;
using delays = std::vector<duration>;

/// The guide's example of a modeled error: @httpError(429) @error("client") @retryable(throttling: true).
class throttling_error : public modeled_error<error_fault::client, retryable_trait::throttling> {
 public:
  using modeled_error::modeled_error;
};
using client_error = modeled_error<error_fault::client>;
using server_error = modeled_error<error_fault::server>;

TEST(SmithyModeledError, WithTheTrait) {
  throttling_error e{"too many"};
  EXPECT_EQ(e.fault(), error_fault::client);
  EXPECT_EQ(e.is_retry_safe(), retry_safety::yes);
  EXPECT_TRUE(e.is_throttle());
  EXPECT_FALSE(e.is_timeout());
  EXPECT_EQ(e.retry_after(), std::nullopt);
  e.set_retry_after(3s);
  EXPECT_EQ(e.retry_after(), 3s);
  EXPECT_EQ(e.message(), "too many");
  EXPECT_STREQ(e.what(), "too many");
  modeled_error<error_fault::server, retryable_trait::present> const plain{"x"};
  EXPECT_EQ(plain.is_retry_safe(), retry_safety::yes);
  EXPECT_FALSE(plain.is_throttle());
  EXPECT_EQ(plain.fault(), error_fault::server);
}

TEST(SmithyModeledError, WithoutTheTrait) {
  EXPECT_EQ(client_error{"x"}.is_retry_safe(), retry_safety::no);
  EXPECT_EQ(server_error{"x"}.is_retry_safe(), retry_safety::maybe);
  EXPECT_FALSE(server_error{"x"}.is_throttle());
  static_assert(default_safety(error_fault::client, retryable_trait::absent) == retry_safety::no);
  static_assert(default_safety(error_fault::server, retryable_trait::absent) == retry_safety::maybe);
  static_assert(default_safety(error_fault::other, retryable_trait::absent) == retry_safety::maybe);
  static_assert(default_safety(error_fault::client, retryable_trait::present) == retry_safety::yes);
  static_assert(default_safety(error_fault::server, retryable_trait::throttling) == retry_safety::yes);
}

TEST(SmithyModeledError, IsAnErrorValueToo) {
  throttling_error e{"x"};
  e.set_retry_after(2s);
  EXPECT_EQ(anew::read_failure(e), (anew::failure{error_kind::throttling, retry_safety::yes, 2s}));
  EXPECT_EQ(anew::read_failure(server_error{"x"}), (anew::failure{error_kind::server, retry_safety::maybe}));
}

/// What an error may say of itself, in every combination.
struct info {
  retry_safety safety = retry_safety::yes;
  bool throttle = false;
  bool timeout = false;
  std::optional<duration> hint{};
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] bool is_throttle() const { return throttle; }
  [[nodiscard]] bool is_timeout() const { return timeout; }
  [[nodiscard]] std::optional<duration> retry_after() const { return hint; }
};
struct fault_alone {
  error_fault whose;
  [[nodiscard]] error_fault fault() const { return whose; }
};
struct info_and_fault {
  retry_safety safety;
  error_fault whose;
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] error_fault fault() const { return whose; }
};
struct safety_alone {
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::maybe; }
};
struct foreign {};

}  // namespace
}  // namespace preset_smithy_test

template <>
struct anew::retry_traits<preset_smithy_test::foreign> {
  static retry_safety is_retry_safe(preset_smithy_test::foreign const& /*e*/) { return retry_safety::yes; }
  static bool is_timeout(preset_smithy_test::foreign const& /*e*/) { return true; }
  static bool is_throttle(preset_smithy_test::foreign const& /*e*/) { return true; }
};

namespace preset_smithy_test {
namespace {

TEST(SmithyGuideClassifier, WhatDoesNotSayNoIsRetried) {
  EXPECT_EQ(guide_classifier::classify(info{retry_safety::yes}), directive::retry(error_kind::transient));
  EXPECT_EQ(guide_classifier::classify(info{retry_safety::maybe}), directive::retry(error_kind::transient));
  EXPECT_EQ(guide_classifier::classify(info{retry_safety::no}), directive::fail());
  EXPECT_EQ(guide_classifier::classify(safety_alone{}), directive::retry(error_kind::transient));
  EXPECT_EQ(guide_classifier::classify(info{retry_safety::yes, true, false, 3s}),
            directive::retry(error_kind::throttling, 3s));
}

TEST(SmithyGuideClassifier, ATimeoutIsOneThoughItThrottles) {
  EXPECT_EQ(guide_classifier::classify(info{retry_safety::yes, false, true}), directive::retry(error_kind::timeout));
  EXPECT_EQ(guide_classifier::classify(info{retry_safety::yes, true, true}), directive::retry(error_kind::timeout));
  EXPECT_EQ(guide_classifier::classify(foreign{}), directive::retry(error_kind::timeout));
}

TEST(SmithyGuideClassifier, ElseTheFaultDecides) {
  using enum error_fault;
  EXPECT_EQ(guide_classifier::classify(fault_alone{server}), directive::retry(error_kind::server));
  EXPECT_EQ(guide_classifier::classify(fault_alone{client}), directive::fail());
  EXPECT_EQ(guide_classifier::classify(fault_alone{other}), directive::fail());
  EXPECT_EQ(guide_classifier::classify(info_and_fault{retry_safety::no, server}), directive::retry(error_kind::server));
  EXPECT_EQ(guide_classifier::classify(info_and_fault{retry_safety::no, client}), directive::fail());
  EXPECT_EQ(guide_classifier::classify(info_and_fault{retry_safety::yes, client}),
            directive::retry(error_kind::client));
  EXPECT_EQ(guide_classifier::describe(), "smithy_guide_classifier");
  static_assert(!anew::ClassifierOf<guide_classifier, int>);
}

struct answer {
  std::optional<info> failed;
  [[nodiscard]] bool has_value() const { return !failed; }
  [[nodiscard]] info const& error() const { return *failed; }
};
using highest = anew::with<guide_example, anew::testing::scripted_random>;
highest drawing_the_ceiling() { return highest{anew::testing::scripted_random{anew::testing::highest_word}}; }

TEST(SmithyGuideExample, ASuccessAlwaysAddsOne) {
  auto const s = drawing_the_ceiling();
  anew::testing::recording_sleeper sleeper;
  int made = 0;
  auto const third_time = [&] { return ++made % 3 != 0 ? answer{info{retry_safety::yes, true}} : answer{}; };
  (void)anew::retry(s, third_time, sleeper);
  EXPECT_EQ(s.quota().balance(), 491U);  // 500 - 5 - 5 + 1
  (void)anew::retry(s, [] { return answer{}; }, sleeper);
  EXPECT_EQ(s.quota().balance(), 492U);
}

TEST(SmithyGuideBucket, FiveForARetryAndTenAfterATimeout) {
  guide_bucket const bucket;
  auto const cost = [&](error_kind kind) { return bucket.try_acquire({kind}).value_or(0); };
  EXPECT_EQ(cost(error_kind::transient), 5U);
  EXPECT_EQ(cost(error_kind::throttling), 5U);
  EXPECT_EQ(cost(error_kind::server), 5U);
  EXPECT_EQ(cost(error_kind::client), 5U);
  EXPECT_EQ(cost(error_kind::timeout), 10U);
  EXPECT_EQ(bucket.balance(), 470U);
  bucket.release(10);
  EXPECT_EQ(bucket.balance(), 480U);
  bucket.on_success(10);
  EXPECT_EQ(bucket.balance(), 481U);
  bucket.on_success(0);
  EXPECT_EQ(bucket.balance(), 482U);
  for (int i = 0; i < 30; ++i) bucket.on_success(5);
  EXPECT_EQ(bucket.balance(), 500U);
  for (int i = 0; i < 99; ++i) EXPECT_EQ(cost(error_kind::transient), 5U);
  EXPECT_FALSE(bucket.try_acquire({error_kind::timeout}).has_value());
  EXPECT_EQ(cost(error_kind::transient), 5U);
  EXPECT_FALSE(bucket.try_acquire({error_kind::transient}).has_value());
  EXPECT_EQ(bucket.balance(), 0U);
  static_assert(anew::Quota<guide_bucket> && sizeof(guide_bucket) == 4);
}

TEST(SmithyGuideExample, DescribesItself) {
  EXPECT_EQ(guide_bucket{}.describe(),
            "token_bucket(500,transient=5,throttling=5,timeout=10,server=5,client=5,refund=1)");
  static_assert(sizeof(guide_example) == 4);
}

#if ANEW_EXCEPTIONS
class servers_fault : public std::runtime_error, public anew::error_info {
 public:
  explicit servers_fault(error_fault whose) : std::runtime_error{"x"}, whose_{whose} {}
  [[nodiscard]] error_fault fault() const override { return whose_; }

 private:
  error_fault whose_;
};
class says_no : public server_error {
 public:
  using server_error::server_error;
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::no; }
};

template <class Strategy, class E>
std::uint32_t attempts_after(E const& thrown) {
  anew::testing::recording_sleeper sleeper;
  return anew::retry_outcome(support::for_one_call(Strategy{}), [&] { throw E{thrown}; }, sleeper).attempts();
}

TEST(SmithyGuideExample, CatchesWhatSaysSomething) {
  EXPECT_EQ(attempts_after<guide_example>(throttling_error{"x"}), 6U);
  EXPECT_EQ(attempts_after<guide_example>(server_error{"x"}), 6U);
  EXPECT_EQ(attempts_after<guide_example>(client_error{"x"}), 1U);
  EXPECT_EQ(attempts_after<guide_example>(servers_fault{error_fault::server}), 6U);
  EXPECT_EQ(attempts_after<guide_example>(servers_fault{error_fault::client}), 1U);
  EXPECT_EQ(attempts_after<guide_example>(std::runtime_error{"x"}), 1U);
#if defined(__cpp_rtti)
  EXPECT_EQ(attempts_after<guide_example>(says_no{"x"}), 6U);  // as printed: the fault is asked next
#endif
}

TEST(SmithyModeledError, IsReadByTheDefaultClassifier) {
  using plain = anew::strategy<anew::no_backoff>;
  EXPECT_EQ(attempts_after<plain>(throttling_error{"x"}), 3U);
  EXPECT_EQ(attempts_after<plain>(client_error{"x"}), 1U);
  EXPECT_EQ(attempts_after<plain>(server_error{"x"}), 1U);  // maybe, and not declared idempotent
}
#endif

}  // namespace
}  // namespace preset_smithy_test
