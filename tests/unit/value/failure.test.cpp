// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "anew/value/directive.hpp"
#include "anew/value/failure.hpp"
#include "anew/value/stop_reason.hpp"

namespace value_failure_test {
namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::duration;
using anew::error_fault;
using anew::error_kind;
using anew::failure;
using anew::retry_safety;

struct says_only_whether {
  retry_safety safety;
  [[nodiscard]] retry_safety is_retry_safe() const { return safety; }
};

struct says_everything {
  bool throttle = false;
  bool timeout = false;
  error_fault whose = error_fault::other;
  std::optional<duration> after{};
  [[nodiscard]] retry_safety is_retry_safe() const { return retry_safety::maybe; }
  [[nodiscard]] bool is_throttle() const { return throttle; }
  [[nodiscard]] bool is_timeout() const { return timeout; }
  [[nodiscard]] error_fault fault() const { return whose; }
  [[nodiscard]] std::optional<duration> retry_after() const { return after; }
};

struct foreign {
  int code;
};

struct foreign_that_also_speaks {
  [[nodiscard]] retry_safety is_retry_safe() const { return retry_safety::no; }
};

struct cause : anew::retry_info {
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::yes; }
};

}  // namespace
}  // namespace value_failure_test

template <>
struct anew::retry_traits<value_failure_test::foreign> {
  static retry_safety is_retry_safe(value_failure_test::foreign const& e) {
    return e.code == 0 ? retry_safety::no : retry_safety::yes;
  }
  static bool is_throttle(value_failure_test::foreign const& e) { return e.code == 1; }
  static bool is_timeout(value_failure_test::foreign const& e) { return e.code == 2; }
  static std::optional<duration> retry_after(value_failure_test::foreign const& e) {
    return std::chrono::seconds{e.code};
  }
};

template <>
struct anew::retry_traits<value_failure_test::foreign_that_also_speaks> {
  static retry_safety is_retry_safe(value_failure_test::foreign_that_also_speaks const& /*e*/) {
    return retry_safety::yes;
  }
};

namespace value_failure_test {
namespace {

TEST(Failure, IsTransientAndSafeUnlessSaidOtherwise) {
  failure const f{};
  EXPECT_EQ(f.kind, error_kind::transient);
  EXPECT_EQ(f.safety, retry_safety::yes);
  EXPECT_FALSE(f.hint.has_value());
  EXPECT_EQ(f, failure{});
  EXPECT_NE(f, (failure{.kind = error_kind::server}));
  EXPECT_NE(f, (failure{.hint = 0ns}));
}

TEST(ReadFailure, SafetyIsAllThatIsRequired) {
  for (auto safety : {retry_safety::no, retry_safety::maybe, retry_safety::yes}) {
    EXPECT_EQ(anew::read_failure(says_only_whether{safety}), (failure{error_kind::transient, safety, {}}));
  }
}

TEST(ReadFailure, KindComesFromThrottlingThenTimeOutThenFault) {
  auto const kind = [](says_everything const& e) { return anew::read_failure(e).kind; };
  EXPECT_EQ(kind({}), error_kind::transient);
  EXPECT_EQ(kind({.whose = error_fault::server}), error_kind::server);
  EXPECT_EQ(kind({.whose = error_fault::client}), error_kind::client);
  EXPECT_EQ(kind({.timeout = true, .whose = error_fault::server}), error_kind::timeout);
  EXPECT_EQ(kind({.throttle = true, .timeout = true, .whose = error_fault::client}), error_kind::throttling);
  EXPECT_EQ(anew::read_failure(says_everything{}).safety, retry_safety::maybe);
}

TEST(ReadFailure, AHintIsTakenAndANegativeOneIsNone) {
  auto const hint = [](duration d) { return anew::read_failure(says_everything{.after = d}).hint; };
  EXPECT_EQ(hint(5s), 5s);
  EXPECT_EQ(hint(0ns), 0ns);
  EXPECT_EQ(hint(-1ns), std::nullopt);
  EXPECT_EQ(hint(duration::min()), std::nullopt);
  EXPECT_EQ(hint(duration::max()), duration::max());
}

TEST(ReadFailure, TraitsSpeakForATypeThatDoesNot) {
  EXPECT_EQ(anew::read_failure(foreign{0}), (failure{error_kind::transient, retry_safety::no, 0s}));
  EXPECT_EQ(anew::read_failure(foreign{1}), (failure{error_kind::throttling, retry_safety::yes, 1s}));
  EXPECT_EQ(anew::read_failure(foreign{2}), (failure{error_kind::timeout, retry_safety::yes, 2s}));
  EXPECT_EQ(anew::read_failure(foreign{-3}).hint, std::nullopt);
}

TEST(ReadFailure, TraitsWinOverTheType) {
  EXPECT_EQ(anew::read_failure(foreign_that_also_speaks{}).safety, retry_safety::yes);
}

TEST(RetryInfoBase, SaysNoMoreThanItMust) {
  cause const e{};
  anew::retry_info const& base = e;
  EXPECT_EQ(anew::read_failure(base), (failure{}));
}

TEST(Failure, MakesOneOfThreeDirectives) {
  auto const good = directive::succeed();
  auto const final = directive::fail();
  auto const again = directive::retry(error_kind::throttling, 3s);
  EXPECT_TRUE(good.is_success() && !good.is_failure() && !good.is_retry());
  EXPECT_TRUE(!final.is_success() && final.is_failure() && !final.is_retry());
  EXPECT_TRUE(!again.is_success() && !again.is_failure() && again.is_retry());
  EXPECT_EQ(again.what(), (failure{error_kind::throttling, retry_safety::yes, 3s}));
  EXPECT_EQ(directive::retry(error_kind::server).what(), (failure{.kind = error_kind::server}));
  EXPECT_EQ(directive::retry(failure{.safety = retry_safety::maybe}).what().safety, retry_safety::maybe);
  EXPECT_EQ(good, directive::succeed());
  EXPECT_NE(good, final);
  EXPECT_NE(again, directive::retry(error_kind::throttling));
}

TEST(Words, AreTheEnumeratorsNames) {
  EXPECT_STREQ(to_string(error_kind::transient), "transient");
  EXPECT_STREQ(to_string(error_kind::throttling), "throttling");
  EXPECT_STREQ(to_string(error_kind::timeout), "timeout");
  EXPECT_STREQ(to_string(error_kind::server), "server");
  EXPECT_STREQ(to_string(error_kind::client), "client");
  EXPECT_STREQ(to_string(static_cast<error_kind>(200)), "unknown");
  using anew::stop_reason;
  EXPECT_STREQ(to_string(stop_reason::succeeded), "succeeded");
  EXPECT_STREQ(to_string(stop_reason::not_retryable), "not_retryable");
  EXPECT_STREQ(to_string(stop_reason::unclassified), "unclassified");
  EXPECT_STREQ(to_string(stop_reason::not_idempotent), "not_idempotent");
  EXPECT_STREQ(to_string(stop_reason::attempts), "attempts");
  EXPECT_STREQ(to_string(stop_reason::quota), "quota");
  EXPECT_STREQ(to_string(stop_reason::deadline), "deadline");
  EXPECT_STREQ(to_string(stop_reason::hint_too_long), "hint_too_long");
  EXPECT_STREQ(to_string(stop_reason::cancelled), "cancelled");
  EXPECT_STREQ(to_string(static_cast<stop_reason>(200)), "unknown");
}

// A constant expression: a count beside the others would be an error.
TEST(KindCounts, CountsEachKindByItself) {
  using enum anew::error_kind;
  static constexpr anew::kind_counts counts = [] {
    anew::kind_counts made;
    for (auto kind : {transient, throttling, throttling, timeout, server, client, client, client}) made.add(kind);
    return made;
  }();
  static_assert(counts.of(transient) == 1 && counts.of(throttling) == 2 && counts.of(timeout) == 1);
  static_assert(counts.of(server) == 1 && counts.of(client) == 3);
  static_assert(anew::kind_counts{}.of(client) == 0 && sizeof(anew::kind_counts) == 20);
}

}  // namespace
}  // namespace value_failure_test
