// SPDX-License-Identifier: BSL-1.0
#include <cstdio>

#include "anew/anew.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/policies.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/grpc.hpp"

/// Prints the bytes of strategies, of the tokens of their calls, and of the machines that drive a call in an event loop.
namespace {

using namespace std::chrono_literals;

using plain =
    anew::strategy<anew::exponential_backoff<50ms, 20s>, anew::full_jitter, anew::retry_all, anew::max_attempts<3>>;
using with_bucket = anew::with<plain, anew::token_bucket<500>>;

template <class Strategy>
void print(char const* name) {
  std::printf("\"%s\",%zu,%zu,%zu\n", name, sizeof(Strategy), sizeof(typename Strategy::token_type),
              sizeof(anew::retry_machine<Strategy, anew::declared::idempotent>));
}

}  // namespace

int main() {
  std::puts("strategy,bytes,bytes of its token,bytes of its machine");
  print<plain>("policies known at compile time");
  print<anew::with<plain, anew::decorrelated_jitter>>("decorrelated jitter");
  print<anew::with<plain, anew::deadline<30s>>>("deadline");
  print<with_bucket>("token_bucket");
  print<anew::with<with_bucket, anew::deadline<30s>>>("token_bucket and deadline");
  print<anew::with<plain, anew::striped<anew::token_bucket<500>>>>("striped token_bucket");
  print<anew::with<plain, anew::retry_throttle<>>>("retry_throttle");
  print<anew::with<plain, anew::refilling_bucket<10, 1s>>>("refilling_bucket");
  print<anew::with<plain, anew::retry_budget<>>>("retry_budget");
  print<anew::with<plain, anew::concurrency_budget<>>>("concurrency_budget");
  print<anew::with<plain, anew::circuit_breaker<>>>("circuit_breaker");
  print<anew::with<plain, anew::rate_breaker<>>>("rate_breaker");
  print<anew::with<plain, anew::cool_down<>>>("cool_down");
  print<anew::with<plain, anew::client_rate_limiter<>>>("client_rate_limiter");
  print<anew::with<plain, anew::reset_after<30s>>>("reset_after");
  print<anew::with<plain, anew::history<4>>>("history of 4");
  print<anew::with<with_bucket, anew::deadline<30s>, anew::circuit_breaker<>>>(
      "token_bucket, deadline, circuit_breaker");
  print<anew::aws::standard>("aws::standard");
  print<anew::aws::standard_2020>("aws::standard_2020");
  print<anew::grpc::retry_policy<>>("grpc::retry_policy");
  return 0;
}
