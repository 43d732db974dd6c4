// SPDX-License-Identifier: BSL-1.0
// What a loop and other libraries do, with anew; and a fallback. Quoted by docs/how_to/come_from_another_library.md.
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "anew/policies.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/google_cloud.hpp"
#include "anew/testing/test_mode.hpp"

using namespace std::chrono_literals;

struct connection_error : std::runtime_error {
  using runtime_error::runtime_error;
};
std::string ask_for_the_price() { throw connection_error{"connection reset"}; }

// [loop]
using as_the_loop = anew::strategy<anew::exponential_backoff<100ms, 400ms>,  // 100, 200, 400 ms
                                   anew::full_jitter,                        // of which each client waits a random part
                                   anew::retry_on<connection_error>, anew::max_attempts<4>>;
// [/loop]

// [polly]
using as_with_polly = anew::strategy<anew::exponential_backoff<1s, 30s>,     // Delay, BackoffType, MaxDelay
                                     anew::polly_decorrelated_jitter,        // UseJitter
                                     anew::retry_on<connection_error>,       // ShouldHandle
                                     anew::max_attempts<4>,                  // MaxRetryAttempts = 3, and the first
                                     anew::rate_breaker<50, 10s, 20, 30s>>;  // AddCircuitBreaker
// [/polly]

// [resilience4j]
using as_with_resilience4j = anew::strategy<anew::exponential_backoff<500ms, 60s>,
                                            anew::proportional_jitter<0.5>,    // plus or minus a half
                                            anew::retry_on<connection_error>,  // retryExceptions
                                            anew::max_attempts<3>>;            // counts the first one too
// [/resilience4j]

// [tenacity]
using as_with_tenacity =
    anew::strategy<anew::exponential_backoff<1s, 60s>, anew::full_jitter,  // wait_random_exponential
                   anew::retry_on<connection_error>,                       // retry_if_exception_type
                   anew::max_attempts<5>,                                  // stop_after_attempt
                   anew::deadline<30s>>;                                   // stop_after_delay
// [/tenacity]

// [google_cloud_cpp]
using as_with_google_cloud =
    anew::with<anew::google_cloud::retry_policy,                         // ExponentialBackoffPolicy(1s, 5min, 2.0)
               anew::idempotent_only<anew::retry_on<connection_error>>,  // MakeIdempotencyPolicy
               anew::deadline<10min>>;                                   // LimitedTimeRetryPolicy(10min)
// [/google_cloud_cpp]

// [aws]
using as_with_the_aws_sdk = anew::with<anew::aws::standard, anew::max_attempts<5>>;
// [/aws]

// [folly]
using as_with_folly = anew::strategy<anew::exponential_backoff<100ms, 10s>,  // backoff_min, backoff_max
                                     anew::proportional_jitter<0.5>,         // about jitter_param
                                     anew::retry_on<connection_error>,       // the predicate
                                     anew::max_attempts<5>>;                 // max_tries
// [/folly]

// [failsafe_go]
using as_with_failsafe_go = anew::strategy<anew::exponential_backoff<100ms, 10s>,  // WithBackoff
                                           anew::proportional_jitter<0.25>,        // WithJitterFactor
                                           anew::retry_on<connection_error>,       // HandleErrors
                                           anew::max_attempts<4>>;                 // WithMaxRetries(3), and the first
// [/failsafe_go]

// [backon]
using as_with_backon = anew::strategy<anew::exponential_backoff<1s, 60s>,  // min_delay, factor 2, max_delay
                                      anew::scaled_jitter<1.0, 2.0>,       // with_jitter: up to the delay again
                                      anew::retry_on<connection_error>,    // when
                                      anew::max_attempts<4>>;              // max_times = 3, and the first
// [/backon]

// [stamina]
using as_with_stamina = anew::strategy<anew::exponential_backoff<100ms, 5s>,  // wait_initial, wait_max
                                       anew::full_jitter,                     // in place of wait_jitter
                                       anew::retry_on<connection_error>,      // on
                                       anew::max_attempts<10>,                // attempts
                                       anew::deadline<45s>>;                  // timeout
// [/stamina]

// [fallback]
std::string price(as_with_polly const& strategy, std::string const& fallback) {
  return anew::retry_outcome(strategy, ask_for_the_price).result_or([&](auto const& end) {
    return end.reason() == anew::stop_reason::gate_closed ? fallback + " (the service is down)" : fallback;
  });
}
// [/fallback]

template <class Strategy>
void print(char const* origin) {
  std::printf("%s: %s\n", origin, anew::describe(Strategy{}).c_str());
}

int main() {
  print<as_the_loop>("a loop");
  print<as_with_polly>("Polly");
  print<as_with_resilience4j>("resilience4j");
  print<as_with_tenacity>("tenacity");
  print<as_with_google_cloud>("google-cloud-cpp");
  print<as_with_the_aws_sdk>("aws-sdk-cpp");
  print<as_with_folly>("folly");
  print<as_with_failsafe_go>("failsafe-go");
  print<as_with_backon>("backon");
  print<as_with_stamina>("stamina");

  anew::testing::test_mode const without_waits{4};
  as_with_polly const strategy;
  std::printf("the price: %s\n", price(strategy, "that of yesterday").c_str());
}
