// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <future>
#include <ios>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <ratio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/base/asked_delay.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/rational.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/base/run_time.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/policies/backoff/at_least.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/hint/jittered.hpp"
#include "anew/policies/jitter/proportional.hpp"

#include "failed_answer.hpp"
#include "names.hpp"

namespace value_test {
namespace {

using namespace anew;
using detail::error_of, detail::is_success, detail::parameter, detail::times, detail::to_text;

static_assert(sizeof(asked_delay) == sizeof(std::optional<duration>) && std::is_trivially_copyable_v<asked_delay>);
static_assert(!asked_delay{} && !asked_delay{}.forbids() && asked_delay{} == asked_delay{std::nullopt});
static_assert(asked_delay{5s} && *asked_delay{5s} == 5s && asked_delay{5s} -> count() == 5'000'000'000);
static_assert(asked_delay{0s}.has_value() && !asked_delay{0s}.forbids());

TEST(AskedDelay, ReadsLikeAnOptional) {
  asked_delay asked;
  EXPECT_EQ(asked, std::nullopt);
  EXPECT_EQ(asked.value_or(3s), 3s);
  asked = std::optional<duration>{7ms};
  EXPECT_EQ(asked, 7ms);
  EXPECT_EQ(asked.value_or(3s), 7ms);
  std::optional<duration> const out = asked;
  EXPECT_EQ(out, duration{7ms});
  asked = std::optional<std::chrono::seconds>{};
  EXPECT_FALSE(asked.delay());
}

TEST(AskedDelay, ANegativeDelayIsNoDelay) {
  for (duration const negative : {duration{-1}, duration{-5s}, duration::min()}) {
    for (asked_delay const asked : {asked_delay{negative}, asked_delay{std::optional{negative}},
                                    asked_delay::after(negative), asked_delay::do_not_retry()}) {
      EXPECT_TRUE(asked.forbids());
      EXPECT_FALSE(asked);
      EXPECT_EQ(asked, std::nullopt);
      EXPECT_EQ(asked.delay(), std::nullopt);
      EXPECT_EQ(asked.value_or(3s), 3s);
      std::optional<duration> const out = asked;
      EXPECT_FALSE(out);
      EXPECT_EQ(asked, asked_delay::do_not_retry());
      EXPECT_NE(asked, asked_delay{});
    }
  }
}

TEST(AskedDelay, WhatWasNotUnderstoodIsNoDelayAndNotForgotten) {
  asked_delay const asked = asked_delay::not_understood();
  EXPECT_TRUE(asked.is_not_understood());
  EXPECT_FALSE(asked || asked.forbids());
  EXPECT_EQ(asked, std::nullopt);
  EXPECT_NE(asked, asked_delay{});
  EXPECT_NE(asked, asked_delay::do_not_retry());
  EXPECT_FALSE(detail::classifier_mark::in(asked));
  for (asked_delay const other : {asked_delay{}, asked_delay{3s}, asked_delay::do_not_retry(),
                                  asked_delay{duration::min()}, detail::classifier_mark::of(7)}) {
    EXPECT_FALSE(other.is_not_understood());
  }
}

TEST(AskedDelay, WhatDoesNotFitSaturates) {
  EXPECT_EQ(asked_delay{std::chrono::hours::max()}, duration::max());
  EXPECT_TRUE(asked_delay{std::chrono::hours::min()}.forbids());
  EXPECT_EQ(asked_delay{std::chrono::duration<double>{1e300}}, duration::max());
  EXPECT_TRUE(asked_delay{std::chrono::duration<double>{std::numeric_limits<double>::quiet_NaN()}}.forbids());
}

TEST(Directive, IsOneOfThree) {
  static_assert(directive::succeed().is_success() && !directive::succeed().is_failure());
  static_assert(!directive::succeed().is_retry());
  static_assert(directive::fail().is_failure() && !directive::fail().is_success() && !directive::fail().is_retry());
  constexpr auto again = directive::retry(error_kind::server);
  static_assert(again.is_retry() && !again.is_success() && !again.is_failure());
  EXPECT_NE(directive::succeed(), directive::fail());
  EXPECT_NE(directive::fail(), again);
}

TEST(Directive, SaysWhatFailed) {
  EXPECT_EQ(directive::retry(error_kind::server).what(), (failure{error_kind::server, retry_safety::yes, {}}));
  EXPECT_EQ(directive::retry(error_kind::timeout, 3s).what(), (failure{error_kind::timeout, retry_safety::yes, 3s}));
  constexpr failure unsure{error_kind::transient, retry_safety::maybe, 1s};
  EXPECT_EQ(directive::retry(unsure).what(), unsure);
}

struct owner;
struct other;
enum class choice : std::uint8_t { a, b };

template <static_duration D, std::int64_t N, rational R>
struct policy {
  ANEW_NO_UNIQUE_ADDRESS parameter<D, policy> delay;
  ANEW_NO_UNIQUE_ADDRESS parameter<D, policy, 1> cap;
  ANEW_NO_UNIQUE_ADDRESS parameter<N, policy> count;
  ANEW_NO_UNIQUE_ADDRESS parameter<R, policy> factor;
};

// A part of the type where it is known.
static_assert(parameter<static_duration{5ms}, owner>::get() == 5ms);
static_assert(std::is_same_v<decltype(parameter<std::int64_t{3}, owner>::get()), std::uint32_t>);
static_assert(parameter<std::int64_t{4'294'967'295}, owner>::get() == 4'294'967'295);
static_assert(parameter<rational{6, 4}, owner>::get() == rational{3, 2});
static_assert(parameter<choice::b, owner, 0, true>::get() == choice::b);
static_assert(std::is_empty_v<policy<5ms, 5, rational{5}>> && sizeof(policy<5ms, 5, rational{5}>) == 1);

// A member where it is given at run time.
static_assert(sizeof(parameter<run_time, owner>) == 8 && sizeof(parameter<run_time_count, owner>) == 4);
static_assert(sizeof(parameter<at_run_time<rational>, owner>) == 8);
static_assert(sizeof(parameter<choice::a, owner, 0, false>) == 1 && parameter<run_time, owner>{7ns}.get() == 7ns);
static_assert(parameter<run_time_count, owner>{9U}.get() == 9);
static_assert(parameter<at_run_time<rational>, owner>{rational{2, 4}}.get() == rational{1, 2});
static_assert(parameter<choice::a, owner, 0, false>{choice::b}.get() == choice::b);
static_assert(sizeof(policy<run_time, 5, rational{5}>) == 16);
static_assert(std::is_trivially_copyable_v<policy<run_time, run_time_count, at_run_time<rational>>>);

// Nothing can be forgotten: there is no value until one is given.
static_assert(!std::is_default_constructible_v<parameter<run_time, owner>>);
static_assert(!std::is_constructible_v<parameter<static_duration{5ms}, owner>, duration>);

TEST(Parameter, EqualOnesOfSeveralOwnersShareAnAddress) {
  using five = policy<5ms, 5, rational{5}>;
  using six = policy<5ms, 5, rational{6}>;
  struct both {
    ANEW_NO_UNIQUE_ADDRESS five a;
    ANEW_NO_UNIQUE_ADDRESS six b;
    ANEW_NO_UNIQUE_ADDRESS parameter<static_duration{5ms}, owner> c;
    ANEW_NO_UNIQUE_ADDRESS parameter<static_duration{5ms}, other> d;
  };
  static_assert(std::is_empty_v<both> && sizeof(both) == 1);
}

constexpr auto most = ~std::uint32_t{0};

TEST(Rational, IsAFractionAsOthersWriteIt) {
  static_assert(rational{0.2} == rational{1, 5} && rational{2.0} == rational{2} && rational{1.5F} == rational{3, 2});
  static_assert(rational{0.1F} == rational{1, 10} && rational{0.0} == rational{0} &&
                rational{1e-9}.den == 1'000'000'000);
  static_assert(rational{4294967295.0} == rational{most} && rational{1.0 / 3} == rational{333'333'333, 1'000'000'000});
  static_assert(rational{1e-10} == rational{0} && rational{429496729.25}.den == 10);
  for (double const refused :
       {-0.2, 4294967296.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(rational{refused}.den, 0U) << refused;
    EXPECT_NE(rational{refused}, at_run_time<rational>);
  }
  for (std::uint32_t num = 0; num != 20'000; ++num) {
    EXPECT_EQ(rational{num / 1000.0}, (rational{num, 1000})) << num;
    EXPECT_EQ(rational{static_cast<float>(num) / 100.0F}, (rational{num, 100})) << num;
  }
}

TEST(Rational, IsWrittenSoInPolicies) {
  EXPECT_EQ((exponential_backoff{1s, 60s, 2.0}.describe()), (exponential_backoff{1s, 60s}.describe()));
  EXPECT_EQ((exponential_backoff<1s, 60s, 1.5>{}.describe()),
            (exponential_backoff<1s, 60s, rational{3, 2}>{}.describe()));
  EXPECT_EQ(proportional_jitter<0.1>{}.describe(), (proportional_jitter<rational{1, 10}>{}.describe()));
#if ANEW_EXCEPTIONS
  EXPECT_THROW((exponential_backoff{1s, 60s, -2.0}), std::invalid_argument);
  EXPECT_THROW(proportional_jitter{-0.1}, std::invalid_argument);
#endif
}

TEST(Rational, IsInLowestTerms) {
  static_assert(rational{6, 4}.num == 3 && rational{6, 4}.den == 2);
  static_assert(rational{0, 7} == rational{0} && rational{most, most} == rational{1});
  static_assert(rational{most, most - 1}.num == most && rational{most, most - 1}.den == most - 1);
  std::mt19937 random{2026};
  for (int i = 0; i != 10'000; ++i) {
    auto const num = random() >> (random() % 32);
    auto const den = (random() >> (random() % 32)) | 1U;
    rational const r{static_cast<std::uint32_t>(num), static_cast<std::uint32_t>(den)};
    EXPECT_EQ(std::gcd(r.num, r.den), 1U);
    EXPECT_EQ(std::uint64_t{r.num} * den, num * std::uint64_t{r.den});
  }
}

// Without a denominator it stays as it is written, so that a policy can refuse it.
TEST(Rational, KeepsADenominatorOfZero) { static_assert(rational{6, 0}.den == 0 && rational{6, 0} != rational{0, 0}); }

// Made of a std::ratio.
static_assert(rational{std::ratio<6, 4>{}} == rational{3, 2} && rational{std::ratio<0, 5>{}} == rational{0});
static_assert(rational{std::ratio<4'294'967'295>{}}.num == most && std::is_convertible_v<std::ratio<1, 2>, rational>);

// A whole number may be a percentage.
static_assert(std::is_convertible_v<double, rational> && !std::is_convertible_v<int, rational>);

TEST(Rational, EqualValuesAreEqualPolicies) {
  static_assert(
      std::is_same_v<exponential_backoff<1s, 9s, rational{6, 4}>, exponential_backoff<1s, 9s, std::ratio<3, 2>{}>>);
  static_assert(std::is_same_v<proportional_jitter<rational{20, 100}>, proportional_jitter<rational{1, 5}>>);
  EXPECT_EQ((exponential_backoff{1ms, 2s, rational{6, 4}}.describe()),
            (exponential_backoff{1ms, 2s, rational{3, 2}}.describe()));
  EXPECT_EQ((scaled_jitter{rational{4, 8}, rational{6, 3}}.describe()), "scaled_jitter(1/2,2)");
  EXPECT_EQ((jittered_hint{rational{4, 2}}.describe()), "jittered_hint(2,server_hint(stop))");
}

TEST(Rational, IsWrittenAsAWholeNumberOrWithAStroke) {
  EXPECT_EQ(to_text(rational{6, 4}), "3/2");
  EXPECT_EQ(to_text(rational{4, 2}), "2");
  EXPECT_EQ(to_text(rational{0, 3}), "0");
}

// The product is rounded down, and saturates.
static_assert(times(7ns, rational{1, 2}) == 3ns && times(10ns, rational{13, 10}) == 13ns);
static_assert(times(duration::max(), rational{1}) == duration::max());
static_assert(times(duration::max(), rational{most}) == duration::max());
static_assert(times(duration::max(), rational{1, most}) == duration{2'147'483'648});

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

struct cause : retry_info {
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::yes; }
};

}  // namespace
}  // namespace value_test

template <>
struct anew::retry_traits<value_test::foreign> {
  static retry_safety is_retry_safe(value_test::foreign const& e) {
    return e.code == 0 ? retry_safety::no : retry_safety::yes;
  }
  static bool is_throttle(value_test::foreign const& e) { return e.code == 1; }
  static bool is_timeout(value_test::foreign const& e) { return e.code == 2; }
  static std::optional<duration> retry_after(value_test::foreign const& e) { return std::chrono::seconds{e.code}; }
};

template <>
struct anew::retry_traits<value_test::foreign_that_also_speaks> {
  static retry_safety is_retry_safe(value_test::foreign_that_also_speaks const& /*e*/) { return retry_safety::yes; }
};

namespace value_test {
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
    EXPECT_EQ(read_failure(says_only_whether{safety}), (failure{error_kind::transient, safety, {}}));
  }
}

TEST(ReadFailure, KindComesFromThrottlingThenTimeOutThenFault) {
  auto const kind = [](says_everything const& e) { return read_failure(e).kind; };
  EXPECT_EQ(kind({}), error_kind::transient);
  EXPECT_EQ(kind({.whose = error_fault::server}), error_kind::server);
  EXPECT_EQ(kind({.whose = error_fault::client}), error_kind::client);
  EXPECT_EQ(kind({.timeout = true, .whose = error_fault::server}), error_kind::timeout);
  EXPECT_EQ(kind({.throttle = true, .timeout = true, .whose = error_fault::client}), error_kind::throttling);
  EXPECT_EQ(read_failure(says_everything{}).safety, retry_safety::maybe);
}

TEST(ReadFailure, AHintIsTakenAndANegativeOneIsNone) {
  auto const hint = [](duration d) { return read_failure(says_everything{.after = d}).hint; };
  EXPECT_EQ(hint(5s), 5s);
  EXPECT_EQ(hint(0ns), 0ns);
  EXPECT_EQ(hint(-1ns), std::nullopt);
  EXPECT_EQ(hint(duration::min()), std::nullopt);
  EXPECT_EQ(hint(duration::max()), duration::max());
}

TEST(ReadFailure, TraitsSpeakForATypeThatDoesNotAndWinOverOneThatDoes) {
  EXPECT_EQ(read_failure(foreign{0}), (failure{error_kind::transient, retry_safety::no, 0s}));
  EXPECT_EQ(read_failure(foreign{1}), (failure{error_kind::throttling, retry_safety::yes, 1s}));
  EXPECT_EQ(read_failure(foreign{2}), (failure{error_kind::timeout, retry_safety::yes, 2s}));
  EXPECT_EQ(read_failure(foreign{-3}).hint, std::nullopt);
  EXPECT_EQ(read_failure(foreign_that_also_speaks{}).safety, retry_safety::yes);
}

TEST(RetryInfoBase, SaysNoMoreThanItMust) {
  cause const e{};
  retry_info const& base = e;
  EXPECT_EQ(read_failure(base), (failure{}));
}

TEST(Words, AreTheEnumeratorsNames) {
  using kind = std::pair<error_kind, char const*>;
  for (auto const& [of, name] : {kind{error_kind::transient, "transient"}, kind{error_kind::throttling, "throttling"},
                                 kind{error_kind::timeout, "timeout"}, kind{error_kind::server, "server"},
                                 kind{error_kind::client, "client"}, kind{static_cast<error_kind>(200), "unknown"}}) {
    EXPECT_STREQ(to_string(of), name);
  }
  using reason = std::pair<stop_reason, char const*>;
  using enum stop_reason;
  for (auto const& [of, name] :
       {reason{succeeded, "succeeded"}, reason{not_retryable, "not_retryable"}, reason{unclassified, "unclassified"},
        reason{not_idempotent, "not_idempotent"}, reason{attempts, "attempts"}, reason{quota, "quota"},
        reason{stop_reason::deadline, "deadline"}, reason{hint_too_long, "hint_too_long"},
        reason{cancelled, "cancelled"}, reason{static_cast<stop_reason>(200), "unknown"}}) {
    EXPECT_STREQ(to_string(of), name);
  }
}

// A constant expression: a count beside the others would be an error.
TEST(KindCounts, CountsEachKindByItself) {
  using enum error_kind;
  static constexpr kind_counts counts = [] {
    kind_counts made;
    for (auto kind : {transient, throttling, throttling, timeout, server, client, client, client}) made.add(kind);
    return made;
  }();
  static_assert(counts.of(transient) == 1 && counts.of(throttling) == 2 && counts.of(timeout) == 1);
  static_assert(counts.of(server) == 1 && counts.of(client) == 3);
  static_assert(kind_counts{}.of(client) == 0 && sizeof(kind_counts) == 20);
}

using support::expected;

/// As much of Boost.Outcome's result as is read: what has a value may lack an error, and `error()` returns a copy.
struct result_like {
  bool good;
  [[nodiscard]] int has_value() const { return good ? 1 : 0; }
  [[nodiscard]] std::string error() const { return "boost"; }
};

struct status {
  int code;
  [[nodiscard]] bool ok() const { return code == 0; }
};
/// Has the shape of an expected, but its traits say otherwise.
struct contrary {
  [[nodiscard]] bool has_value() const { return true; }
  [[nodiscard]] int error() const { return 1; }
};
/// Without its traits in doubt, as smart pointers are.
template <class T>
struct handle {
  T content{};
  explicit operator bool() const { return false; }
};
enum class colour { red, green };
enum class my_errc { fine, broken };

}  // namespace
}  // namespace value_test

template <>
struct std::is_error_code_enum<value_test::my_errc> : std::true_type {};

template <>
struct anew::result_traits<value_test::status> {
  static bool is_success(value_test::status const& s) noexcept { return s.ok(); }
  static value_test::status const& error(value_test::status const& s) noexcept { return s; }
};
template <>
struct anew::result_traits<value_test::contrary> {
  static bool is_success(value_test::contrary const& /*c*/) noexcept { return false; }
  static char error(value_test::contrary const& /*c*/) noexcept { return 'c'; }
};

template <class T>
struct anew::result_traits<value_test::handle<T>> : anew::plain_result {};

namespace value_test {
namespace {

// Which shape each type has: drive/explain_result.test.cpp.
static_assert(!ReadableResult<int> && ReadableResult<void> && ReadableResult<std::error_code const&>);
static_assert(ReadableResult<expected<int, char>&&> && !ReadableResult<int*>);
static_assert(!ReadableResult<std::future<int>> && !ReadableResult<std::function<void()>>);
static_assert(!detail::carries_error<int> && !detail::carries_error<handle<int>>);
static_assert(std::is_same_v<detail::error_type<std::optional<int>>, std::nullopt_t>);

/// How many of these are successes.
constexpr auto successes_among = [](auto const&... results) { return (0 + ... + (is_success(results) ? 1 : 0)); };

TEST(Outcome, SuccessesAndFailuresWithTheirErrors) {
  using result = expected<bool, std::string>;
  result const failed{std::string{"no"}};
  auto const busy = std::make_error_code(std::errc::device_or_resource_busy);
  status const bad{7};
  // A plain value is a success, and so are an expected with a value, a code of zero and an optional that is not empty.
  EXPECT_EQ(successes_among(0, -1, colour::red, std::string{}, detail::void_result{}, handle<int>{}), 6);
  EXPECT_EQ(successes_among(result{false}, result_like{true}, std::error_code{}, std::errc{}, my_errc::fine), 5);
  EXPECT_EQ(successes_among(std::optional<bool>{false}, true, status{0}), 3);
  EXPECT_EQ(successes_among(failed, result_like{false}, busy, std::errc::timed_out, my_errc::broken), 0);
  EXPECT_EQ(successes_among(std::optional<int>{}, false, bad, contrary{}), 0) << "traits win over the shape";
  EXPECT_EQ(error_of(failed), "no");
  EXPECT_EQ(&error_of(failed), &failed.error());
  EXPECT_EQ(error_of(result_like{false}), "boost");
  EXPECT_EQ(&error_of(busy), &busy);
  EXPECT_EQ(error_of(std::errc::timed_out), std::errc::timed_out);
  EXPECT_FALSE(error_of(false));
  EXPECT_EQ(&error_of(bad), &bad);
  EXPECT_EQ(error_of(contrary{}), 'c');
}

}  // namespace
}  // namespace value_test
