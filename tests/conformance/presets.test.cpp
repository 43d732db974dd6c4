// SPDX-License-Identifier: BSL-1.0
// What each preset does, beside what its original was read to do: what is retried (operations that are declared
// idempotent and those that are not; statuses, codes, connections), how often, after what delays, with which hints.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/http.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/azure.hpp"
#include "anew/presets/envoy.hpp"
#include "anew/presets/google_cloud.hpp"
#include "anew/presets/grpc.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/presets/step_functions.hpp"
#include "anew/presets/waiter.hpp"
#include "anew/testing/scripted_random.hpp"

#include "failed_answer.hpp"
#include "names.hpp"

namespace {

using namespace anew;
using anew::aws::connection_error, anew::grpc::status_code;

/// A failure as each kind of client reports it.
struct failing {
  int status = 0;
  status_code code = status_code::ok;
  std::errc thrown{};
  connection_error connection = connection_error::none;
  std::string name;
};

failing status(int number) { return {.status = number, .name = std::to_string(number)}; }
failing code(status_code which) { return {.code = which, .name = std::string{to_string(which)}}; }
failing thrown(std::errc which) { return {.thrown = which, .name = std::make_error_code(which).message()}; }
failing broken(connection_error which) {
  return {.connection = which, .name = which == connection_error::not_sent ? "not sent" : "broken"};
}

/// Does the preset make a second attempt after it?
template <class Preset>
bool is_retried(failing const& what, bool is_declared_idempotent) {
  with<Preset, max_attempts<2>> const strategy{};
  int calls = 0;
  auto const run = [&](auto operation) {
    try {
      if (is_declared_idempotent) {
        static_cast<void>(retry_outcome(strategy, idempotent(operation), no_sleep));
      } else {
        static_cast<void>(retry_outcome(strategy, operation, no_sleep));
      }
    } catch (std::system_error const&) {
    }
  };
  using classifier = typename Preset::classifier_type;
  if constexpr (ClassifierOf<classifier, int>) {
    run([&]() -> int {
      ++calls;
      if (what.thrown != std::errc{}) throw std::system_error{std::make_error_code(what.thrown)};
      return what.status;
    });
  } else if constexpr (ClassifierOf<classifier, status_code>) {
    run([&] { return ++calls, what.code; });
  } else {
    run([&] {
      return ++calls, support::failed_answer<aws::error>{{.status = what.status, .connection = what.connection}};
    });
  }
  return calls == 2;
}

/// `declared` and `not_declared`: is it retried by the original? A preset differs where it asks for `idempotent` and the
/// original does not ask.
enum class difference { none, asks_for_idempotent };
struct row {
  failing what;
  bool declared;
  bool not_declared;
  difference differs = difference::none;
};

template <class Preset>
void expect(std::string const& preset, std::vector<row> const& rows) {
  for (auto const& each : rows) {
    SCOPED_TRACE(preset + ": " + each.what.name);
    EXPECT_EQ(is_retried<Preset>(each.what, true), each.declared);
    bool const expected = each.not_declared && each.differs == difference::none;
    EXPECT_EQ(is_retried<Preset>(each.what, false), expected);
  }
}

constexpr auto careful = difference::asks_for_idempotent;
failing const refused = thrown(std::errc::connection_refused);
failing const reset = thrown(std::errc::connection_reset);
failing const timed_out = thrown(std::errc::timed_out);

// Statuses and codes are below, in sets. Sources: docs.cloud.google.com/storage/docs/retry-strategy
// (AlwaysRetryIdempotencyPolicy, since each request carries a token); azure-sdk-for-cpp, retry_policy.cpp (every
// TransportException); Envoy, retry_state_impl.cc, wouldRetryFromReset (gateway-error has the resets and the connections
// that failed); AWS SDKs and Tools reference guide (a request that must not run twice carries an idempotency token). No
// document prescribes http::standard.
TEST(Presets, ConnectionsThatFail) {
  row const denied{thrown(std::errc::permission_denied), false, false};
  row const reset_row{reset, true, true, careful};
  row const late{timed_out, true, true, careful};
  row const unreached{refused, true, true};
  expect<google_cloud::storage>("google_cloud::storage", {unreached, reset_row, late, denied});
  expect<azure::retry_policy>("azure::retry_policy", {unreached, reset_row, late});
  expect<envoy::retry_policy>("envoy::retry_policy", {unreached, reset_row});
  expect<http::standard>("http::standard", {unreached,
                                            reset_row,
                                            late,
                                            denied,
                                            {thrown(std::errc::broken_pipe), true, true, careful},
                                            {thrown(std::errc::host_unreachable), true, true, careful},
                                            {thrown(std::errc::operation_canceled), false, false}});
  std::vector<row> const of_aws{{broken(connection_error::not_sent), true, true},
                                {broken(connection_error::broken), true, true}};
  expect<aws::standard>("aws::standard", of_aws);
  expect<aws::standard_2020>("aws::standard_2020", of_aws);
  expect<aws::legacy>("aws::legacy", of_aws);
}

// Every status of HTTP, of operations that are declared idempotent and of those that are not. In the first set are the
// statuses by which a server says that it has not executed the request.
template <class Preset>
std::set<int> retried_statuses(bool is_declared_idempotent) {
  std::set<int> retried;
  for (int number = 100; number < 600; ++number) {
    if (is_retried<Preset>(status(number), is_declared_idempotent)) retried.insert(number);
  }
  return retried;
}
using statuses = std::set<int>;
statuses const not_executed{408, 429, 503};

TEST(PresetStatuses, OfHttp) {
  statuses const all{408, 429, 500, 502, 503, 504};
  EXPECT_EQ(retried_statuses<http::standard>(true), all);
  EXPECT_EQ(retried_statuses<http::standard>(false), not_executed);
  EXPECT_EQ(retried_statuses<azure::retry_policy>(true), all);
  EXPECT_EQ(retried_statuses<azure::retry_policy>(false), not_executed);
  EXPECT_EQ(retried_statuses<google_cloud::storage>(true), all);
  EXPECT_EQ(retried_statuses<google_cloud::storage>(false), not_executed);
  EXPECT_EQ(retried_statuses<envoy::retry_policy>(true), (statuses{502, 503, 504}));
  EXPECT_EQ(retried_statuses<envoy::retry_policy>(false), (statuses{503}));
}

// The SDKs ask for no declaration: their requests carry a token where they must not run twice.
TEST(PresetStatuses, OfAws) {
  statuses const of_2026{500, 502, 503, 504};
  statuses const of_2020{408, 429, 500, 502, 503, 504, 509};
  for (bool const declared : {true, false}) {
    EXPECT_EQ(retried_statuses<aws::standard>(declared), of_2026);
    EXPECT_EQ(retried_statuses<aws::dynamodb>(declared), of_2026);
    EXPECT_EQ(retried_statuses<aws::long_polling>(declared), of_2026);
    EXPECT_EQ(retried_statuses<aws::standard_2020>(declared), of_2020);
    EXPECT_EQ(retried_statuses<aws::legacy>(declared), of_2020);
    EXPECT_EQ(retried_statuses<aws::legacy_botocore>(declared), of_2020);
  }
  using no_token = with<aws::standard, aws::careful_classifier>;
  EXPECT_EQ(retried_statuses<no_token>(true), of_2026);
  EXPECT_EQ(retried_statuses<no_token>(false), statuses{});  // a code of throttling, and no status, says it
}

template <class Preset>
std::set<status_code> retried_codes(bool is_declared_idempotent) {
  std::set<status_code> retried;
  for (int number = 1; number <= 16; ++number) {
    auto const which = grpc::to_status_code(number);
    if (is_retried<Preset>(code(which), is_declared_idempotent)) retried.insert(which);
  }
  return retried;
}

// google-cloud-cpp, internal/retry_loop_helpers.cc, and gax-nodejs, *_client_config: no error of a call that is not
// idempotent is retried. gRPC proposal A6: a code that the service config names is retried, whatever the method did.
TEST(PresetStatuses, OfGrpc) {
  using codes = std::set<status_code>;
  codes const unavailable{status_code::unavailable};
  for (bool const declared : {true, false}) {
    EXPECT_EQ(retried_codes<grpc::retry_policy<>>(declared), unavailable);
    EXPECT_EQ(retried_codes<grpc::retry_policy_2017<>>(declared), unavailable);
  }
  EXPECT_EQ(retried_codes<google_cloud::retry_policy>(true), unavailable);
  EXPECT_EQ(retried_codes<google_cloud::retry_policy>(false), codes{});
  EXPECT_EQ(retried_codes<google_cloud::gax>(true), (codes{status_code::unavailable, status_code::deadline_exceeded}));
  EXPECT_EQ(retried_codes<google_cloud::gax>(false), codes{});
}

// The law: nothing that may have been executed is retried for an operation that nobody declared idempotent. Its exceptions
// are the clients whose original does so by default, and whose comment says it: the AWS SDKs and gRPC by its service
// config, above.
TEST(PresetLaw, WhatMayHaveBeenExecutedIsRetriedWhereItWasDeclared) {
  auto const holds = []<class Preset>(std::string const& name, std::type_identity<Preset>) {
    SCOPED_TRACE(name);
    for (int const number : retried_statuses<Preset>(false)) EXPECT_TRUE(not_executed.contains(number)) << number;
    for (auto const which :
         {std::errc::connection_reset, std::errc::timed_out, std::errc::broken_pipe, std::errc::connection_aborted}) {
      EXPECT_FALSE(is_retried<Preset>(thrown(which), false)) << std::make_error_code(which).message();
    }
  };
  holds("http::standard", std::type_identity<http::standard>{});
  holds("azure", std::type_identity<azure::retry_policy>{});
  holds("google_cloud::storage", std::type_identity<google_cloud::storage>{});
  holds("envoy", std::type_identity<envoy::retry_policy>{});
  EXPECT_TRUE(retried_codes<google_cloud::retry_policy>(false).empty());
  EXPECT_TRUE(retried_codes<google_cloud::gax>(false).empty());
}

// How often, and after what delays: the shortest and the longest before each retry.
using delays = std::vector<duration>;

template <class Preset>
delays delays_of(std::uint64_t word, std::size_t most, failure const& what) {
  with<Preset, scripted_random> const strategy{scripted_random{word}};
  delays waits;
  auto next = strategy.refresh_retry_token(strategy.acquire_initial_token(), what);
  while (next && waits.size() != most) {
    waits.push_back(next->delay());
    next = strategy.refresh_retry_token(*std::move(next), what);
  }
  return waits;
}

bool are_close(delays const& got, delays const& wanted) {
  return std::ranges::equal(got, wanted, [](duration a, duration b) { return std::abs((a - b).count()) <= 1000; });
}

/// `attempts` of a call that fails for ever; none: it goes on until its deadline.
template <class Preset>
void waits(std::optional<std::size_t> attempts, delays const& shortest, delays const& longest,
           error_kind kind = error_kind::transient) {
  failure const what{.kind = kind};
  std::size_t const most = attempts ? 1000 : longest.size();
  auto const low = delays_of<Preset>(lowest_word, most, what);
  auto const high = delays_of<Preset>(highest_word, most, what);
  EXPECT_EQ(high.size() + 1, attempts.value_or(longest.size() + 1));
  EXPECT_TRUE(are_close(low, shortest)) << ::testing::PrintToString(low);
  EXPECT_TRUE(are_close(high, longest)) << ::testing::PrintToString(high);
}

delays none(std::size_t retries) { return delays(retries, 0s); }
constexpr std::optional<std::size_t> until_the_deadline{};

TEST(PresetDelays, OfGoogleAndGrpc) {
  waits<grpc::retry_policy<>>(4, {80ms, 160ms, 320ms}, {120ms, 240ms, 480ms});
  waits<grpc::retry_policy<9>>(5, {80ms, 160ms, 320ms, 640ms}, {120ms, 240ms, 480ms, 960ms});
  waits<grpc::retry_policy_2017<>>(4, none(3), {100ms, 200ms, 400ms});
  waits<google_cloud::retry_policy>(until_the_deadline, none(10), {1s, 2s, 4s, 8s, 16s, 32s, 64s, 128s, 256s, 300s});
  waits<google_cloud::storage>(until_the_deadline, {1s, 2s, 4s, 8s, 16s, 32s, 64s, 128s, 150s, 150s},
                               {2s, 4s, 8s, 16s, 32s, 64s, 128s, 256s, 300s, 300s});
  waits<google_cloud::gax>(until_the_deadline, none(4), {100ms, 130ms, 169ms, 219'700us});
  // The jitter goes above the greatest backoff.
  using steep = grpc::retry_policy<5, 100ms, 1s, rational{10}>;
  waits<steep>(5, {80ms, 800ms, 800ms, 800ms}, {120ms, 1200ms, 1200ms, 1200ms});
}

/// How long a call goes on that fails at once throughout, under a clock that its waits advance.
template <class Preset>
duration lasts(std::uint64_t word) {
  with<Preset, scripted_random> const strategy{scripted_random{word}};
  time_point now{};
  auto next = strategy.refresh_retry_token(strategy.acquire_initial_token(now), failure{}, now);
  while (next) {
    now += next->delay();
    next = strategy.refresh_retry_token(*std::move(next), failure{}, now);
  }
  EXPECT_EQ(next.reason(), stop_reason::deadline);
  return now.time_since_epoch();
}

TEST(PresetDelays, GoOnUntilTheDeadline) {
  // 511 s for nine retries, then four times five minutes; the next would end after half an hour.
  EXPECT_EQ(lasts<google_cloud::retry_policy>(highest_word), 1711s);
  auto const storage = lasts<google_cloud::storage>(lowest_word);
  EXPECT_TRUE(storage < 15min && storage + 150s >= 15min) << storage.count();
  auto const gax = lasts<google_cloud::gax>(highest_word);
  EXPECT_TRUE(gax < 10min && gax + 60s >= 10min) << gax.count();
}

TEST(PresetDelays, OfHttp) {
  waits<http::standard>(3, none(2), {500ms, 1s});
  waits<azure::retry_policy>(4, {640ms, 1280ms, 2560ms}, {1040ms, 2080ms, 4160ms});
  waits<envoy::retry_policy>(2, none(1), {25ms});
  // What their caps are shows later.
  waits<with<http::standard, max_attempts<8>>>(8, none(7), {500ms, 1s, 2s, 4s, 8s, 8s, 8s});
  waits<with<azure::retry_policy, max_attempts<9>>>(9,
                                                    {640ms, 1280ms, 2560ms, 5120ms, 10'240ms, 20'480ms, 34'400ms, 30s},
                                                    {1040ms, 2080ms, 4160ms, 8320ms, 16'640ms, 33'280ms, 60s, 60s});
  waits<with<envoy::retry_policy, max_attempts<7>>>(7, none(6), {25ms, 50ms, 100ms, 200ms, 250ms, 250ms});
}

TEST(PresetDelays, OfAws) {
  constexpr auto throttled = error_kind::throttling;
  waits<aws::standard>(3, none(2), {50ms, 100ms});
  waits<aws::standard>(3, none(2), {1s, 2s}, throttled);
  waits<aws::adaptive>(3, none(2), {50ms, 100ms});
  waits<aws::dynamodb>(4, none(3), {25ms, 50ms, 100ms});
  waits<aws::dynamodb>(4, none(3), {1s, 2s, 4s}, throttled);
  waits<aws::long_polling>(3, none(2), {50ms, 100ms});
  waits<aws::standard_2020>(3, none(2), {1s, 2s});
  waits<aws::standard_2020>(3, none(2), {1s, 2s}, throttled);
  delays const doubled{0ms, 50ms, 100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 12'800ms};
  waits<aws::legacy>(11, doubled, doubled);
  waits<aws::legacy_botocore>(5, none(4), {1s, 2s, 4s, 8s});
  // What their caps are shows later.
  using twelve = with<aws::standard, max_attempts<12>>;
  waits<twelve>(12, none(11), {50ms, 100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 12'800ms, 20s, 20s});
  waits<twelve>(12, none(11), {1s, 2s, 4s, 8s, 16s, 20s, 20s, 20s, 20s, 20s, 20s}, throttled);
  waits<with<aws::standard_2020, max_attempts<7>>>(7, none(6), {1s, 2s, 4s, 8s, 16s, 20s});
}

TEST(PresetDelays, OfSmithyAndStepFunctions) {
  waits<smithy::guide_example>(6, none(5), {1s, 2s, 4s, 8s, 16s});
  waits<smithy::waiter<300s>>(until_the_deadline, {2s, 2s, 2s}, {2s, 4s, 8s});
  waits<smithy_kotlin::standard>(3, none(2), {50ms, 100ms});
  waits<smithy_kotlin::standard>(3, none(2), {1s, 2s}, error_kind::throttling);
  waits<smithy_kotlin::standard_before_2026>(3, none(2), {10ms, 15ms});
  waits<step_functions::retrier<>>(4, {1s, 2s, 4s}, {1s, 2s, 4s});
  waits<with<smithy::guide_example, max_attempts<8>>>(8, none(7), {1s, 2s, 4s, 8s, 16s, 20s, 20s});
  using step_functions::no_max_delay, step_functions::retrier;
  waits<retrier<3s, 3, rational{3, 2}>>(4, {3s, 4500ms, 6750ms}, {3s, 4500ms, 6750ms});
  waits<retrier<1s, 0>>(1, {}, {});
  waits<retrier<1s, 5, rational{3}, 10s>>(6, {1s, 3s, 9s, 10s, 10s}, {1s, 3s, 9s, 10s, 10s});
  waits<retrier<2s, 3, rational{1}>>(4, {2s, 2s, 2s}, {2s, 2s, 2s});
  waits<retrier<1s, 3, rational{2}, no_max_delay, full_jitter>>(4, none(3), {1s, 2s, 4s});
  static_assert(retrier<1s, 7>::max_attempts_type{}.value() == 8);
}

// Which hints are heard, at the shortest delay of the backoff: the longest one, and what becomes of a longer one.
template <class Preset>
std::string heard(duration asked, std::uint64_t word = lowest_word) {
  with<Preset, scripted_random> const strategy{scripted_random{word}};
  auto const next = strategy.refresh_retry_token(strategy.acquire_initial_token(), {.hint = asked});
  return next ? detail::to_text(next->delay()) : to_string(next.reason());
}

template <class Preset>
void hears_until(duration longest, std::string const& beyond) {
  EXPECT_EQ(heard<Preset>(longest), detail::to_text(longest));
  EXPECT_EQ(heard<Preset>(longest + 1ns), beyond);
}
constexpr char const* too_long = "hint_too_long";

TEST(PresetHints, AreHeardUpToABound) {
  hears_until<grpc::retry_policy<>>(1min, too_long);
  hears_until<grpc::retry_policy_2017<>>(1min, too_long);
  EXPECT_EQ(heard<grpc::retry_policy<>>(7ms), "7ms") << "a pushback replaces the delay";
  EXPECT_EQ(heard<grpc::retry_policy<>>(-1ms), "not_retryable");
  hears_until<google_cloud::retry_policy>(5min, too_long);
  hears_until<google_cloud::storage>(5min, too_long);
  hears_until<google_cloud::gax>(1min, too_long);
  hears_until<azure::retry_policy>(1min, too_long);
  hears_until<envoy::retry_policy>(5min, too_long);
  hears_until<http::standard>(1min, too_long);
  hears_until<aws::standard>(5s, "5s");  // above the delay, which is nothing here
  hears_until<aws::dynamodb>(5s, "5s");
  hears_until<aws::standard_2020>(20s, "20s");
  hears_until<smithy_kotlin::standard>(5s, "5s");
  // At the longest delay: a hint below it is not heard, nor one beyond what is permitted above it.
  constexpr auto highest = highest_word;
  EXPECT_EQ(heard<aws::standard>(0ms, highest), "50ms");
  EXPECT_EQ(heard<aws::standard>(-100ms, highest), "50ms");
  EXPECT_EQ(heard<aws::standard>(1500ms, highest), "1500ms");
  EXPECT_EQ(heard<aws::standard>(10s, highest), "5050ms");
  EXPECT_EQ(heard<aws::dynamodb>(10s, highest), "5025ms");
  EXPECT_EQ(heard<aws::standard_2020>(500ms, highest), "1s");
  EXPECT_EQ(heard<azure::retry_policy>(1ms, highest), "1040ms");
  EXPECT_EQ(heard<smithy::guide_example>(500ms, highest), "1s");
  EXPECT_EQ(heard<smithy::guide_example>(7s, highest), "7s");
  EXPECT_EQ(heard<smithy::guide_example>(24h), detail::to_text(24h));
  for (auto const asked : {1s, 60s}) {
    EXPECT_EQ(heard<aws::legacy>(asked), "0s");
    EXPECT_EQ(heard<aws::legacy_botocore>(asked), "0s");
    EXPECT_EQ(heard<smithy_kotlin::standard_before_2026>(asked), "0s");
    EXPECT_EQ(heard<step_functions::retrier<>>(asked), detail::to_text(1s));
  }
}

// The numbers of each are what examples/preset_table.cpp prints.
// A preset is as large as its quota.
template <class... Preset>
inline constexpr bool are_empty = ((sizeof(Preset) == 1) && ...);
static_assert(are_empty<azure::retry_policy, step_functions::retrier<>, aws::legacy, google_cloud::gax>);
static_assert(sizeof(aws::standard) == 4 && sizeof(grpc::retry_policy<>) == 4);
static_assert(!HasQuota<aws::legacy> && HasQuota<aws::standard>);

}  // namespace
