// SPDX-License-Identifier: BSL-1.0
// The delays of several pairs of backoff and jitter, side by side. The jitter's random numbers have a seed here, so that
// they are the same every time; without `seeded` every thread of every process has numbers of its own.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ratio>
#include <system_error>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [strategy]
using quick = anew::strategy<anew::exponential_backoff<1ms, 50ms>,  // 1 ms, 2 ms, 4 ms, ... at most 50 ms
                             anew::full_jitter,                     // of which each caller waits a random part
                             anew::token_bucket<500>,               // all calls together: no storm of retries
                             anew::retry_on<std::system_error>,     // nothing else is retried
                             anew::max_attempts<3>>;                // the first call is attempt 1
// [/strategy]
static_assert(anew::RetryStrategy<quick>);

// [seeded]
struct seeded {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const { return numbers(); }
  mutable anew::generator numbers{2026};
};
// [/seeded]

// [print_delays]
template <class... Policies>
void print_delays(char const* name) {
  using strategy = anew::strategy<Policies..., anew::retry_all, anew::max_attempts<9>, seeded>;
  std::printf("%-34s", name);
  auto const record = [](anew::duration delay) {
    std::printf("%8.1f", std::chrono::duration<double, std::milli>{delay}.count());
  };
  (void)anew::retry(strategy{}, [] { return false; }, record);  // fails nine times, sleeps never
  std::printf("\n");
}
// [/print_delays]

int main() {
  std::printf("milliseconds before attempt               2       3       4       5       6       7       8       9\n");
  // [pairs]
  print_delays<anew::no_backoff, anew::no_jitter>("none");
  print_delays<anew::constant_backoff<100ms>, anew::no_jitter>("constant");
  print_delays<anew::constant_backoff<100ms>, anew::equal_jitter>("constant, equal jitter");
  print_delays<anew::exponential_backoff<100ms, 2s>, anew::no_jitter>("exponential");
  print_delays<anew::exponential_backoff<100ms, 2s, anew::rational{3, 2}>, anew::no_jitter>("exponential by 3/2");
  print_delays<anew::exponential_backoff<100ms, 2s>, anew::full_jitter>("exponential, full jitter");
  print_delays<anew::exponential_backoff<100ms, 2s>, anew::equal_jitter>("exponential, equal jitter");
  print_delays<anew::exponential_backoff<100ms, 2s>, anew::decorrelated_jitter>("exponential, decorrelated jitter");
  // [/pairs]
}
