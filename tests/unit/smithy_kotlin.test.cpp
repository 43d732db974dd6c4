// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>
#include <version>
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

#include <gtest/gtest.h>

#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/backoff/constant.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/backoff/linear.hpp"
#include "anew/policies/hint/jittered.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/cap_after_draw.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/ports/smithy_kotlin/backoff_delayer.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/retry_policy.hpp"
#include "anew/ports/smithy_kotlin/retry_token_bucket.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"
#include "anew/testing/test_mode.hpp"

#include "driver_support.hpp"
#include "names.hpp"

namespace smithy_kotlin_test {
namespace {

using namespace anew;
using namespace anew::smithy_kotlin;
using support::flag_stop;

constexpr retry_error_type all_types[] = {retry_error_type::server_side, retry_error_type::client_side,
                                          retry_error_type::throttling, retry_error_type::timeout,
                                          retry_error_type::transient};

TEST(RetryDirective, TypesAndKindsAreTheSameInOtherWords) {
  constexpr error_kind kinds[] = {error_kind::server, error_kind::client, error_kind::throttling, error_kind::timeout,
                                  error_kind::transient};
  for (std::size_t n = 0; n != std::size(all_types); ++n) {
    EXPECT_EQ(to_error_kind(all_types[n]), kinds[n]);
    EXPECT_EQ(to_retry_error_type(kinds[n]), all_types[n]);
  }
}

TEST(RetryDirective, IsADirective) {
  EXPECT_EQ(to_directive(retry_directive::terminate_and_succeed), directive::succeed());
  EXPECT_EQ(to_directive(retry_directive::terminate_and_fail), directive::fail());
  EXPECT_EQ(to_directive(retry_directive::retry_error(retry_error_type::timeout, 3s)),
            directive::retry(error_kind::timeout, 3s));
}

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

TEST(IfException, LooksAtWhatItNamesOnlyAndLetsPassWhatTheLookThrows) {
  auto const thrown = std::make_exception_ptr(std::out_of_range{"seven"});
  EXPECT_EQ(if_exception<std::logic_error>(thrown, [](auto const& e) { return std::string{e.what()}; }), "seven");
  EXPECT_EQ(if_exception<std::bad_alloc>(thrown, [](auto const&) { return 1; }), std::nullopt);
  EXPECT_EQ(if_exception<std::exception>(nullptr, [](auto const&) { return 1; }), std::nullopt);
  EXPECT_THROW(if_exception<std::exception>(thrown, [](auto const&) -> int { throw std::bad_alloc{}; }),
               std::bad_alloc);
}

TEST(TimeSource, OfAClockAndASleeper) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  auto const time = make_time_source(clock, std::ref(sleep));
  auto const before = time->now();
  time->sleep(3s, stop_flag{});
  EXPECT_EQ(time->now() - before, 3s);
  EXPECT_EQ(sleep.delays, (std::vector<duration>{3s}));
}

TEST(TimeSource, TheSystemsIsOne) {
  EXPECT_EQ(system_time(), system_time());
  auto const before = system_time()->now();
  system_time()->sleep(0ns, stop_flag{});
  EXPECT_GE(system_time()->now(), before);
}

TEST(TimeSource, ASleeperThatKnowsStopTokensIsGivenOne) {
  struct listener {
    void operator()(duration, stop_flag const& stop) const { heard->push_back(stop.stop_requested()); }
    std::vector<bool>* heard;
  };
  std::vector<bool> heard;
  flag_stop::state state;
  flag_stop const token{state};
  auto const time = make_time_source(manual_clock{}, listener{&heard});
  time->sleep(1s, stop_flag{token});
  state.requested = true;
  time->sleep(1s, stop_flag{token});
  time->sleep(1s, stop_flag{});
  EXPECT_EQ(heard, (std::vector<bool>{false, true, false}));
}

#if defined(__cpp_lib_jthread)
TEST(TimeSource, AStandardStopTokenReachesTheSleeper) {
  struct sleeper {
    void operator()(duration) const { ++*without; }
    void operator()(duration, std::stop_token const& token) const { *with += token.stop_requested() ? 100 : 1; }
    int* without;
    int* with;
  };
  int without = 0;
  int with = 0;
  std::stop_source source;
  auto const token = source.get_token();
  auto const time = make_time_source(manual_clock{}, sleeper{&without, &with});
  time->sleep(1s, stop_flag{token});
  EXPECT_EQ(with, 1);
  source.request_stop();
  time->sleep(1s, stop_flag{token});
  EXPECT_EQ(with, 101);
  time->sleep(1s, stop_flag{});
  EXPECT_EQ(without, 1);
}
#endif

TEST(StopFlag, IsAStopToken) {
  static_assert(anew::StopToken<stop_flag>);
  flag_stop::state state;
  flag_stop const token{state};
  stop_flag const seen{token};
  EXPECT_TRUE(seen.stop_possible());
  EXPECT_FALSE(seen.stop_requested());
  state.requested = true;
  EXPECT_TRUE(seen.stop_requested());
  EXPECT_FALSE(stop_flag{}.stop_possible());
  EXPECT_FALSE(stop_flag{}.stop_requested());
  EXPECT_FALSE(stop_flag{never_stop{}}.stop_possible());
}

backoff_request after(std::uint32_t attempt, retry_error_type reason = retry_error_type::server_side,
                      std::optional<duration> hint = std::nullopt) {
  return {attempt, reason, hint};
}

TEST(PolicyBackoffDelayer, WaitsWhatABackoffSays) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  policy_backoff_delayer const delayer{linear_backoff<100ms, 250ms>{}, no_jitter{}, clamped_hint<>{}, thread_random{},
                                       make_time_source(clock, std::ref(sleep))};
  backoff_delayer const& abstract = delayer;
  for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) abstract.backoff(attempt);
  anew::testing::test_mode const fast{3};
  abstract.backoff(3);
  EXPECT_EQ(sleep.delays, (std::vector<duration>{100ms, 200ms, 250ms, 0ms}));
}

TEST(PolicyBackoffDelayer, AttemptsCountFromOne) {
  policy_backoff_delayer const delayer{constant_backoff<1s>{}, no_jitter{}};
  EXPECT_THROW(delayer.backoff(0), std::invalid_argument);
  EXPECT_EQ(delayer.delay(after(~std::uint32_t{0})), 1s);
}

TEST(PolicyBackoffDelayer, JitterIsDrawn) {
  policy_backoff_delayer const full{constant_backoff<1s>{}, full_jitter{}, clamped_hint<>{},
                                    scripted_random{lowest_word, highest_word}};
  for (auto const drawn : {0s, 1s}) EXPECT_EQ(full.delay(after(1)), drawn);
  policy_backoff_delayer const around{linear_backoff<1s, 10s>{}, proportional_jitter<rational{1, 2}>{},
                                      clamped_hint<>{}, scripted_random{lowest_word, highest_word}};
  for (auto const drawn : {2s, 6s}) EXPECT_EQ(around.delay(after(4)), drawn);
}

TEST(PolicyBackoffDelayer, BackoffsThatKnowKindsAreTold) {
  policy_backoff_delayer const delayer{
      counted_by_kind_backoff<for_kind<error_kind::throttling, linear_backoff<1s, 20s>>, linear_backoff<1ms, 20s>>{},
      no_jitter{}};
  EXPECT_EQ(delayer.delay(after(3, retry_error_type::throttling)), 3s);
  EXPECT_EQ(delayer.delay(after(3, retry_error_type::timeout)), 3ms);
}

TEST(PolicyBackoffDelayer, HintsAreThePolicysMatter) {
  policy_backoff_delayer const clamped{constant_backoff<1s>{}, no_jitter{}, clamped_hint<2s>{}};
  using row = std::pair<duration, duration>;
  for (auto const& [hint, delay] : {row{500ms, 1s}, row{2500ms, 2500ms}, row{1h, 3s}, row{-1s, 1s}}) {
    EXPECT_EQ(clamped.delay(after(1, retry_error_type::timeout, hint)), delay);
  }
  policy_backoff_delayer const strict{constant_backoff<1s>{}, no_jitter{}, server_hint<>{}};
  EXPECT_EQ(strict.delay(after(1, retry_error_type::timeout, 1h)), 1s);
  policy_backoff_delayer const spread{constant_backoff<4s>{}, no_jitter{},
                                      jittered_hint<rational{1, 2}, server_hint<long_hint::stop, 20s>>{},
                                      scripted_random{highest_word}};
  EXPECT_GT(spread.delay(after(1, retry_error_type::timeout, 6s)), 6s);
}

// As in a strategy: nothing grows from zero, so the second delay is the least where the first retry is made at once.
TEST(PolicyBackoffDelayer, AJitterIsToldOfTheFirstDelayAboveZero) {
  policy_backoff_delayer const delayer{immediate_first<constant_backoff<1s>>{}, from_first_jitter{}, clamped_hint<>{},
                                       scripted_random{0}};
  EXPECT_EQ(delayer.delay(after(1)), 0s);
  EXPECT_EQ(delayer.delay(after(3)), 1s);
}

TEST(PolicyBackoffDelayer, OnlyJittersThatForget) {
  static_assert(smithy_kotlin::detail::has_no_state_within_a_call<full_jitter>);
  static_assert(smithy_kotlin::detail::has_no_state_within_a_call<proportional_jitter<rational{1, 2}>>);
  static_assert(!smithy_kotlin::detail::has_no_state_within_a_call<decorrelated_jitter>);
}

constexpr auto succeed = retry_directive::terminate_and_succeed;
constexpr auto fail = retry_directive::terminate_and_fail;
constexpr auto not_yet = retry_directive::retry_error(retry_error_type::server_side);
constexpr auto slower = retry_directive::retry_error(retry_error_type::throttling);

struct not_found : std::runtime_error {
  not_found() : std::runtime_error{"not found"} {}
};
attempt_result<int> value(int r) { return attempt_result<int>::success(r); }
attempt_result<int> thrown(auto e) { return attempt_result<int>::failure(std::make_exception_ptr(e)); }

TEST(AcceptorRetryPolicy, TheFirstThatMatchesDecides) {
  acceptor_retry_policy<int> const policy{{fail, [](auto const& r) { return r && r.value() < 0; }},
                                          {slower, [](auto const& r) { return r && r.value() < 10; }},
                                          {succeed, [](auto const& r) { return r && r.value() > 50; }},
                                          {succeed, [](auto const& r) { return r.template threw<not_found>(); }}};
  retry_policy<int> const& abstract = policy;
  EXPECT_EQ(abstract.evaluate(value(-1)), fail);
  EXPECT_EQ(abstract.evaluate(value(5)), slower);
  EXPECT_EQ(abstract.evaluate(value(51)), succeed);
  EXPECT_EQ(abstract.evaluate(value(20)), not_yet);  // a value without a match
  EXPECT_EQ(abstract.evaluate(thrown(not_found{})), succeed);
  EXPECT_EQ(abstract.evaluate(thrown(1)), fail);  // an exception without a match
}

TEST(AcceptorRetryPolicy, WhatAPredicateThrowsPasses) {
  acceptor_retry_policy<int> const policy{{slower, [](auto const&) -> bool { throw std::logic_error{"predicate"}; }}};
  EXPECT_THROW(static_cast<void>(policy.evaluate(value(7))), std::logic_error);
}

/// Writes down what happens to it; the n-th token holds n.
class diary final : public retry_token_bucket {
 public:
  std::vector<std::string> lines{};
  bool refuses = false;

 private:
  token_charge take(std::string const& what) {
    if (refuses) throw retry_capacity_exceeded{"empty"};
    ++number_;
    note(what, {number_, number_, {}});
    return {number_, number_, {}};
  }
  [[nodiscard]] token_charge take_for_first_try() override { return take("first"); }
  [[nodiscard]] token_charge take_for_retry(retry_error_type reason) override {
    return take(to_string(to_error_kind(reason)));
  }
  void on_success(token_charge charge) noexcept override { note("success", charge); }
  void on_failure(token_charge charge) noexcept override { note("failure", charge); }
  void on_release(token_charge charge) noexcept override { note("release", charge); }
  void note(std::string what, token_charge charge) {
    lines.push_back(what.append(" ").append(std::to_string(charge.cost)));
  }
  std::uint32_t number_ = 0;
};
using lines = std::vector<std::string>;

static_assert(!std::is_copy_constructible_v<retry_token> && std::is_nothrow_move_constructible_v<retry_token> &&
              std::is_nothrow_move_assignable_v<retry_token>);

TEST(RetryToken, UnresolvedItIsReleased) {
  diary bucket;
  {
    auto const token = bucket.acquire_token();
  }
  auto token = bucket.acquire_token();
  token.close();
  EXPECT_TRUE(token.is_resolved());
  token.close();
  EXPECT_EQ(bucket.lines, (lines{"first 1", "release 1", "first 2", "release 2"}));
}

TEST(RetryToken, IsUsedOnce) {
  diary bucket;
  using ends = void (retry_token::*)();
  for (auto const end :
       {ends{&retry_token::notify_success}, ends{&retry_token::notify_failure}, ends{&retry_token::close}}) {
    auto token = bucket.acquire_token();
    (token.*end)();
    EXPECT_THROW(token.notify_success(), std::invalid_argument);
    EXPECT_THROW(token.notify_failure(), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(token.schedule_retry(retry_error_type::timeout)), std::invalid_argument);
  }
  auto moved = bucket.acquire_token();
  auto other = std::move(moved);
  EXPECT_THROW(moved.notify_success(), std::logic_error);  // NOLINT(bugprone-use-after-move)
  other.notify_success();
  EXPECT_EQ(bucket.lines.size(), 8U);  // four taken, four settled
}

TEST(RetryToken, AssignedOverItIsReleased) {
  diary bucket;
  auto token = bucket.acquire_token();
  auto other = bucket.acquire_token();
  token = std::move(other);
  EXPECT_EQ(bucket.lines, (lines{"first 1", "first 2", "release 1"}));
  auto& same = token;
  token = std::move(same);
  token.notify_success();
  EXPECT_EQ(bucket.lines.back(), "success 2");
}

TEST(InfiniteTokenBucket, NeverRefuses) {
  infinite_token_bucket bucket;
  auto token = bucket.acquire_token();
  for (int n = 0; n < 1000; ++n) token = token.schedule_retry(retry_error_type::transient);
  token.notify_failure();
  bucket.acquire_token().notify_success();
  bucket.acquire_token().close();
}

using options = exponential_backoff_with_jitter_options;

exponential_backoff_with_jitter with(options const& o, scripted_random random = {highest_word}) {
  return exponential_backoff_with_jitter{o, system_time(), random};
}
options const without_jitter{.jitter = {0, 1}};

TEST(ExponentialBackoffWithJitter, Delays) {
  using enum retry_error_type;
  struct said {
    std::uint32_t attempt;
    duration delay;
    retry_error_type reason;
    std::optional<duration> hint;
  };
  auto const row = [](std::uint32_t attempt, duration delay, retry_error_type reason = server_side,
                      std::optional<duration> hint = {}) { return said{attempt, delay, reason, hint}; };
  auto const are = [](options const& o, std::vector<said> const& rows, std::uint64_t word = highest_word) {
    scripted_random const random{word};
    auto const delayer = with(o, random);
    for (auto const& [attempt, delay, reason, hint] : rows) {
      EXPECT_EQ(delayer.delay(after(attempt, reason, hint)), delay) << attempt;
    }
    return random.calls();
  };
  options const of_2026{};
  options const some{.jitter = {1, 4}};
  EXPECT_EQ(
      are(without_jitter, {row(1, 50ms), row(2, 100ms), row(8, 6400ms), row(9, 12'800ms), row(10, 20s), row(11, 20s),
                           row(~0U, 20s), row(1, 1s, throttling), row(2, 2s, throttling), row(6, 20s, throttling),
                           row(2, 100ms, client_side), row(2, 100ms, timeout), row(2, 100ms, transient)}),
      0U);
  are(options::before_2026(), {row(1, 10ms), row(2, 15ms), row(3, 22'500us), row(1, 10ms, throttling),
                               row(1, 10ms, throttling, 5s), row(100, 20s)});
  are(options{.max_backoff = 200ms}, {row(1, 200ms, throttling)});
  are(options{.throttling_base_delay = {}}, {row(1, 50ms, throttling)});
  are(of_2026, {row(1, 0ms)}, lowest_word);
  // The cap comes before the draw: a delay at the cap is spread as any other.
  are(some, {row(2, 75ms), row(50, 15s)}, lowest_word);
  are(some, {row(2, 100ms)});
  // Hints are heard within a window.
  are(of_2026, {row(1, 50ms, server_side, 0ms), row(1, 1500ms, server_side, 1500ms), row(1, 5050ms, server_side, 10s),
                row(10, 25s, server_side, 30s), row(1, 6s, throttling, 9s)});
  are(options{.retry_after_max_overshoot = 1s}, {row(1, 1050ms, server_side, 10s)});
}

TEST(ExponentialBackoffWithJitter, SleepsByItsTimeSource) {
  manual_clock const clock;
  advancing_sleeper sleep{clock};
  exponential_backoff_with_jitter const delayer{without_jitter, make_time_source(clock, std::ref(sleep))};
  backoff_delayer const& abstract = delayer;
  for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) abstract.backoff(attempt);
  EXPECT_EQ(sleep.delays, (std::vector<duration>{50ms, 100ms, 200ms}));
}

TEST(ExponentialBackoffWithJitter, TheThreadsOwnRandomNumbersByDefault) {
  exponential_backoff_with_jitter const delayer{};
  for (int n = 0; n < 100; ++n) {
    EXPECT_LE(delayer.delay(after(1)), 50ms);
    EXPECT_GE(delayer.delay(after(1)), 0ms);
  }
  EXPECT_NE(delayer.delay(after(30)), delayer.delay(after(30)));
}

TEST(ExponentialBackoffWithJitter, RefusesNonsense) {
  EXPECT_THROW(with(options{}).backoff(0), std::invalid_argument);
  for (auto const& wrong : {options{.initial_delay = 0s}, options{.max_backoff = 49ms}, options{.scale_factor = {1, 2}},
                            options{.scale_factor = {1, 0}}, options{.jitter = {3, 2}}, options{.jitter = {0, 0}},
                            options{.throttling_base_delay = 0s}, options{.retry_after_max_overshoot = -1ns}}) {
    EXPECT_THROW(with(wrong), std::invalid_argument);
  }
}

constexpr auto server_side = not_yet;
constexpr auto client_side = retry_directive::retry_error(retry_error_type::client_side);
constexpr auto throttling = slower;
constexpr auto timeout = retry_directive::retry_error(retry_error_type::timeout);
constexpr auto transient = retry_directive::retry_error(retry_error_type::transient);

struct metadata {
  retry_safety safety = retry_safety::yes;
  bool throttle = false;
  bool timed_out = false;
  std::optional<duration> after{};
};

/// An exception of the client: it says whether it may be retried, and nothing of faults.
struct client_exception : std::runtime_error, retry_info {
  explicit client_exception(metadata m) : std::runtime_error{"client"}, about{m} {}
  [[nodiscard]] retry_safety is_retry_safe() const override { return about.safety; }
  [[nodiscard]] bool is_throttle() const override { return about.throttle; }
  [[nodiscard]] bool is_timeout() const override { return about.timed_out; }
  [[nodiscard]] std::optional<duration> retry_after() const override { return about.after; }
  metadata about;
};
struct service_exception : client_exception, error_info {
  service_exception(metadata m, error_fault f) : client_exception{m}, whose{f} {}
  [[nodiscard]] error_fault fault() const override { return whose; }
  error_fault whose;
};
struct only_a_fault : std::runtime_error, error_info {
  only_a_fault() : std::runtime_error{"fault"} {}
  [[nodiscard]] error_fault fault() const override { return error_fault::server; }
};

retry_directive said(auto exception, standard_retry_policy const& policy = standard_retry_policy{}) {
  return policy.evaluate(thrown(exception));
}

TEST(StandardRetryPolicy, EveryValueIsASuccess) {
  standard_retry_policy const policy{};
  EXPECT_EQ(policy.evaluate(attempt_result<int>::success(0)), succeed);
  EXPECT_EQ(policy.evaluate(attempt_result<void>::success()), succeed);
}

struct refused : std::system_error, retry_info {
  refused() : std::system_error{std::make_error_code(std::errc::connection_refused)} {}
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::no; }
};

TEST(StandardRetryPolicy, TheFirstTierThatAppliesDecides) {
  struct row {
    std::exception_ptr thrown;
    retry_directive said;
    retry_directive of_idempotent = said;
  };
  auto const client = [](metadata m) { return std::make_exception_ptr(client_exception{m}); };
  auto const service = [](error_fault fault, metadata m) {
    return std::make_exception_ptr(service_exception{m, fault});
  };
  auto const of_system = [](std::errc code) {
    return std::make_exception_ptr(std::system_error{std::make_error_code(code)});
  };
  constexpr auto maybe = retry_safety::maybe;
  constexpr auto no = retry_safety::no;
  auto const hinted = [](retry_directive const& d) { return retry_directive::retry_error(d.reason(), 6s); };
  // A system_error that speaks for itself is not asked for its code; a time-out may have been carried out.
  // Throttling comes first: what was throttled was not carried out, so only an explicit `no` prevents a retry.
  std::vector<row> const rows{row{client({.throttle = true}), throttling},
                              row{client({.throttle = true, .timed_out = true}), throttling},
                              row{service(error_fault::client, {.throttle = true}), throttling},
                              row{service(error_fault::server, {.throttle = true}), throttling},
                              row{client({.safety = maybe, .throttle = true}), throttling},
                              row{client({.safety = no, .throttle = true}), fail},
                              row{service(error_fault::server, {}), server_side},
                              row{service(error_fault::client, {}), client_side},
                              row{service(error_fault::other, {}), transient},
                              row{service(error_fault::server, {.timed_out = true}), timeout},
                              row{service(error_fault::server, {.safety = no}), fail},
                              row{std::make_exception_ptr(only_a_fault{}), fail},
                              row{client({}), client_side},
                              row{client({.timed_out = true}), timeout},
                              row{client({.safety = no}), fail},
                              row{client({.safety = maybe}), fail, client_side},
                              row{client({.throttle = true, .after = 6s}), hinted(throttling)},
                              row{client({.timed_out = true, .after = 6s}), hinted(timeout)},
                              row{client({.after = 6s}), hinted(client_side)},
                              row{service(error_fault::server, {.after = 6s}), hinted(server_side)},
                              row{service(error_fault::other, {.after = 6s}), hinted(transient)},
                              row{of_system(std::errc::connection_refused), transient},
                              row{of_system(std::errc::permission_denied), fail},
                              row{of_system(std::errc::timed_out), fail, timeout},
                              row{of_system(std::errc::connection_reset), fail, transient},
                              row{std::make_exception_ptr(refused{}), fail},
                              row{std::make_exception_ptr(std::runtime_error{"?"}), fail},
                              row{std::make_exception_ptr(7), fail}};
  standard_retry_policy const policy{};
  standard_retry_policy const idempotent{{.idempotent = true}};
  for (std::size_t n = 0; n != rows.size(); ++n) {
    EXPECT_EQ(policy.evaluate_exception(rows[n].thrown), rows[n].said) << n;
    EXPECT_EQ(idempotent.evaluate_exception(rows[n].thrown), rows[n].of_idempotent) << n;
  }
  EXPECT_EQ(said(client_exception{{.after = -1s}}).retry_after(), std::nullopt);
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
}  // namespace smithy_kotlin_test
