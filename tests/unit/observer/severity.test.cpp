// SPDX-License-Identifier: BSL-1.0
#include <string>

#include <gtest/gtest.h>

#include "anew/observer/severity.hpp"

namespace observer_severity_test {
namespace {

using anew::directive;
using anew::severity;
using anew::severity_of;
using anew::stop_reason;

constexpr auto failed = directive::retry(anew::error_kind::transient);

TEST(Severity, ASuccessAtOnceIsForWhoeverDebugs) {
  static_assert(severity_of(anew::attempt_event{1, directive::succeed(), true}) == severity::debug);
  static_assert(severity_of(anew::end_event{1, stop_reason::succeeded}) == severity::debug);
}

TEST(Severity, ASuccessAfterRetriesIsAsLoudAsTheFailuresBeforeIt) {
  for (unsigned attempt : {2U, 3U, ~0U}) {
    EXPECT_EQ(severity_of(anew::attempt_event{attempt, directive::succeed(), true}), severity::info);
    EXPECT_EQ(severity_of(anew::end_event{attempt, stop_reason::succeeded}), severity::info);
    EXPECT_EQ(severity_of(anew::attempt_event{attempt, failed, false}), severity::info);
  }
  EXPECT_EQ(severity_of(anew::attempt_event{1, failed, false}), severity::info);
  EXPECT_EQ(severity_of(anew::retry_event{2, {}, {}, anew::delay_origin::backoff}), severity::info);
}

TEST(Severity, AFailureThatStaysOneIsAnError) {
  for (auto const& verdict : {failed, directive::fail()}) {
    EXPECT_EQ(severity_of(anew::attempt_event{1, verdict, true}), severity::error);
    EXPECT_EQ(severity_of(anew::attempt_event{3, verdict, true}), severity::error);
  }
}

TEST(Severity, EveryEndButSuccessAndAStopIsAnError) {
  for (auto reason : {stop_reason::not_retryable, stop_reason::unclassified, stop_reason::not_idempotent,
                      stop_reason::not_replayable, stop_reason::attempts, stop_reason::nested, stop_reason::quota,
                      stop_reason::deadline, stop_reason::hint_too_long, stop_reason::gate_closed}) {
    EXPECT_EQ(severity_of(anew::end_event{1, reason}), severity::error) << to_string(reason);
    EXPECT_EQ(severity_of(anew::end_event{3, reason}), severity::error) << to_string(reason);
  }
  EXPECT_EQ(severity_of(anew::end_event{1, stop_reason::cancelled}), severity::info);
}

TEST(Severity, HasNamesAndAnOrder) {
  EXPECT_STREQ(to_string(severity::debug), "debug");
  EXPECT_STREQ(to_string(severity::info), "info");
  EXPECT_STREQ(to_string(severity::error), "error");
  EXPECT_STREQ(to_string(static_cast<severity>(77)), "unknown");
  EXPECT_TRUE(severity::debug < severity::info && severity::info < severity::error);
}

}  // namespace
}  // namespace observer_severity_test
