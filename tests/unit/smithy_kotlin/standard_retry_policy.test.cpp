// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

#include "anew/smithy_kotlin/standard_retry_policy.hpp"

namespace smithy_kotlin_standard_retry_policy_test {
namespace {

using namespace std::chrono_literals;
using namespace anew::smithy_kotlin;
using anew::error_fault;
using anew::retry_safety;

constexpr auto fail = retry_directive::terminate_and_fail;
constexpr auto server_side = retry_directive::retry_error(retry_error_type::server_side);
constexpr auto client_side = retry_directive::retry_error(retry_error_type::client_side);
constexpr auto throttling = retry_directive::retry_error(retry_error_type::throttling);
constexpr auto timeout = retry_directive::retry_error(retry_error_type::timeout);
constexpr auto transient = retry_directive::retry_error(retry_error_type::transient);

struct metadata {
  retry_safety safety = retry_safety::yes;
  bool throttle = false;
  bool timed_out = false;
  std::optional<anew::duration> after{};
};

/// An exception of the client: it says whether it may be retried, and nothing of faults.
struct client_exception : std::runtime_error, anew::retry_info {
  explicit client_exception(metadata m) : std::runtime_error{"client"}, about{m} {}
  [[nodiscard]] retry_safety is_retry_safe() const override { return about.safety; }
  [[nodiscard]] bool is_throttle() const override { return about.throttle; }
  [[nodiscard]] bool is_timeout() const override { return about.timed_out; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const override { return about.after; }
  metadata about;
};
struct service_exception : client_exception, anew::error_info {
  service_exception(metadata m, error_fault f) : client_exception{m}, whose{f} {}
  [[nodiscard]] error_fault fault() const override { return whose; }
  error_fault whose;
};
struct only_a_fault : std::runtime_error, anew::error_info {
  only_a_fault() : std::runtime_error{"fault"} {}
  [[nodiscard]] error_fault fault() const override { return error_fault::server; }
};

template <class E>
retry_directive said(E exception, standard_retry_policy const& policy = standard_retry_policy{}) {
  return policy.evaluate(attempt_result<int>::failure(std::make_exception_ptr(std::move(exception))));
}
constexpr standard_retry_policy_options idempotent{.idempotent = true};

TEST(StandardRetryPolicy, EveryValueIsASuccess) {
  standard_retry_policy const policy{};
  EXPECT_EQ(policy.evaluate(attempt_result<int>::success(0)), retry_directive::terminate_and_succeed);
  EXPECT_EQ(policy.evaluate(attempt_result<void>::success()), retry_directive::terminate_and_succeed);
  EXPECT_EQ(policy.evaluate(attempt_result<std::string>::success("")), retry_directive::terminate_and_succeed);
}

TEST(StandardRetryPolicy, ThrottlingComesFirst) {
  EXPECT_EQ(said(client_exception{{.throttle = true}}), throttling);
  EXPECT_EQ(said(client_exception{{.throttle = true, .timed_out = true}}), throttling);
  EXPECT_EQ(said(service_exception{{.throttle = true}, error_fault::client}), throttling);
  EXPECT_EQ(said(service_exception{{.throttle = true}, error_fault::server}), throttling);
  // What was throttled was not carried out, so that it may be sent again although that is not known to be safe.
  EXPECT_EQ(said(client_exception{{.safety = retry_safety::maybe, .throttle = true}}), throttling);
  EXPECT_EQ(said(client_exception{{.safety = retry_safety::no, .throttle = true}}), fail);
}

TEST(StandardRetryPolicy, ServiceExceptionsByWhoseFaultTheyAre) {
  EXPECT_EQ(said(service_exception{{}, error_fault::server}), server_side);
  EXPECT_EQ(said(service_exception{{}, error_fault::client}), client_side);
  EXPECT_EQ(said(service_exception{{}, error_fault::other}), transient);
  EXPECT_EQ(said(service_exception{{.timed_out = true}, error_fault::server}), timeout);
  EXPECT_EQ(said(service_exception{{.safety = retry_safety::no}, error_fault::server}), fail);
  EXPECT_EQ(said(only_a_fault{}), fail);
}

TEST(StandardRetryPolicy, ClientExceptions) {
  EXPECT_EQ(said(client_exception{{}}), client_side);
  EXPECT_EQ(said(client_exception{{.timed_out = true}}), timeout);
  EXPECT_EQ(said(client_exception{{.safety = retry_safety::no}}), fail);
}

TEST(StandardRetryPolicy, MaybeIsRetriedForWhatIsIdempotent) {
  client_exception const maybe{{.safety = retry_safety::maybe}};
  EXPECT_EQ(said(maybe), fail);
  EXPECT_EQ(said(maybe, standard_retry_policy{idempotent}), client_side);
  EXPECT_EQ(said(client_exception{{.safety = retry_safety::no}}, standard_retry_policy{idempotent}), fail);
}

TEST(StandardRetryPolicy, TheServersDelayIsPassedOn) {
  EXPECT_EQ(said(client_exception{{.throttle = true, .after = 3s}}).retry_after(), 3s);
  EXPECT_EQ(said(client_exception{{.timed_out = true, .after = 4s}}).retry_after(), 4s);
  EXPECT_EQ(said(client_exception{{.after = 5s}}).retry_after(), 5s);
  for (auto const fault : {error_fault::client, error_fault::server, error_fault::other}) {
    EXPECT_EQ(said(service_exception{{.after = 6s}, fault}).retry_after(), 6s);
  }
  EXPECT_EQ(said(client_exception{{.after = -1s}}).retry_after(), std::nullopt);
}

TEST(StandardRetryPolicy, ErrorsOfTheSystem) {
  auto const error = [](std::errc code) { return std::system_error{std::make_error_code(code)}; };
  EXPECT_EQ(said(error(std::errc::connection_refused)), transient);
  EXPECT_EQ(said(error(std::errc::permission_denied)), fail);
  // These may have been carried out.
  EXPECT_EQ(said(error(std::errc::timed_out)), fail);
  EXPECT_EQ(said(error(std::errc::connection_reset)), fail);
  standard_retry_policy const again{idempotent};
  EXPECT_EQ(said(error(std::errc::timed_out), again), timeout);
  EXPECT_EQ(said(error(std::errc::connection_reset), again), transient);
  EXPECT_EQ(said(error(std::errc::permission_denied), again), fail);
}

TEST(StandardRetryPolicy, AnErrorThatSpeaksForItselfIsNotAskedForItsCode) {
  struct refused : std::system_error, anew::retry_info {
    refused() : std::system_error{std::make_error_code(std::errc::connection_refused)} {}
    [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::no; }
  };
  EXPECT_EQ(said(refused{}), fail);
}

TEST(StandardRetryPolicy, WhatNobodyKnowsIsFinal) {
  EXPECT_EQ(said(std::runtime_error{"?"}), fail);
  EXPECT_EQ(said(7), fail);
}

class knows_numbers : public standard_retry_policy {
 public:
  using standard_retry_policy::standard_retry_policy;
  mutable int asked = 0;

 private:
  [[nodiscard]] std::optional<retry_directive> evaluate_other_exceptions(
      std::exception_ptr const& thrown) const override {
    ++asked;
    return if_exception<int>(thrown, [](int n) { return n < 10 ? transient : retry_directive::terminate_and_succeed; });
  }
};

TEST(StandardRetryPolicy, IsOpenForOtherExceptions) {
  knows_numbers const policy{};
  EXPECT_EQ(said(7, policy), transient);
  EXPECT_EQ(said(70, policy), retry_directive::terminate_and_succeed);
  EXPECT_EQ(said(7L, policy), fail);
  EXPECT_EQ(policy.asked, 3);
  // The other tiers have their say first.
  EXPECT_EQ(said(client_exception{{}}, policy), client_side);
  EXPECT_EQ(said(std::system_error{std::make_error_code(std::errc::connection_refused)}, policy), transient);
  EXPECT_EQ(policy.asked, 3);
  EXPECT_EQ(said(client_exception{{.safety = retry_safety::no}}, policy), fail);
  EXPECT_EQ(policy.asked, 4);
}

}  // namespace
}  // namespace smithy_kotlin_standard_retry_policy_test
