// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/preset/smithy.hpp"
#include "anew/testing/recording_sleeper.hpp"

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
using anew::smithy::guide_classifier;
using anew::smithy::guide_example;
using anew::smithy::modeled_error;
using anew::smithy::retryable_trait;

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
  EXPECT_EQ(anew::read_failure(e), (anew::failure{error_kind::throttling, retry_safety::yes, 3s}));
  EXPECT_EQ(anew::read_failure(server_error{"x"}), (anew::failure{error_kind::server, retry_safety::maybe}));
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

TEST(SmithyGuideClassifier, RetriesWhatDoesNotSayNoAndElseTheFaultDecides) {
  using enum error_fault;
  auto const classify = [](auto const& e) { return guide_classifier::classify(e); };
  EXPECT_EQ(classify(info{retry_safety::yes}), directive::retry(error_kind::transient));
  EXPECT_EQ(classify(info{retry_safety::maybe}), directive::retry(error_kind::transient));
  EXPECT_EQ(classify(info{retry_safety::no}), directive::fail());
  EXPECT_EQ(classify(safety_alone{}), directive::retry(error_kind::transient));
  EXPECT_EQ(classify(info{retry_safety::yes, true, false, 3s}), directive::retry(error_kind::throttling, 3s));
  // A time-out is one though it throttles.
  EXPECT_EQ(classify(info{retry_safety::yes, false, true}), directive::retry(error_kind::timeout));
  EXPECT_EQ(classify(info{retry_safety::yes, true, true}), directive::retry(error_kind::timeout));
  EXPECT_EQ(classify(foreign{}), directive::retry(error_kind::timeout));
  EXPECT_EQ(classify(fault_alone{server}), directive::retry(error_kind::server));
  EXPECT_EQ(classify(fault_alone{client}), directive::fail());
  EXPECT_EQ(classify(fault_alone{other}), directive::fail());
  EXPECT_EQ(classify(info_and_fault{retry_safety::no, server}), directive::retry(error_kind::server));
  EXPECT_EQ(classify(info_and_fault{retry_safety::no, client}), directive::fail());
  EXPECT_EQ(classify(info_and_fault{retry_safety::yes, client}), directive::retry(error_kind::client));
  static_assert(!anew::ClassifierOf<guide_classifier, int>);
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
