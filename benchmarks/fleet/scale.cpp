// SPDX-License-Identifier: BSL-1.0
// A fleet of a thousand to a million clients, a call a second each, through an outage of ten minutes. Prints the time and
// the memory of each size.
//   scale [CLIENTS...]
#include <sys/resource.h>
#include <time.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "anew/policies/classifier/retry_all.hpp"
#include "anew/presets/aws.hpp"

#include "fleet.hpp"
#include "scenario.hpp"

namespace {

using namespace std::chrono_literals;
using strategy = anew::with<anew::aws::standard, anew::retry_all, anew::exponential_backoff<50ms, 20s>,
                            anew_plan::virtual_clock, anew_plan::virtual_random>;

double cpu_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void simulate(std::uint32_t clients, anew_plan::outage_mode mode) {
  bool const is_slow = mode == anew_plan::outage_mode::slow;
  anew_plan::scenario s;
  s.clients = clients;
  s.rate = 1;
  s.capacity = clients / 0.7;
  s.latency = 10ms;
  s.mode = mode;
  s.remaining = 0;
  s.before = 60s;
  s.outage = 600s;
  s.after = is_slow ? 1'500s : 120s;
  auto const begin = cpu_seconds();
  std::vector<strategy> strategies;
  strategies.reserve(clients);
  for (std::uint32_t i = 0; i != clients; ++i) strategies.emplace_back();
  auto const found = anew_plan::fleet<strategy>{strategies, s}.run();
  auto const took = cpu_seconds() - begin;
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  auto const recovery = found.times.recovery((s.before + s.outage).count());
  std::printf("%9u %8s %13llu %8.2f %8.1f %8.0f   %.1f s\n", clients,
              is_slow                                   ? "slow"
              : mode == anew_plan::outage_mode::refuses ? "refuses"
                                                        : "drops",
              static_cast<unsigned long long>(found.events), took, took * 1e9 / static_cast<double>(found.events),
              static_cast<double>(used.ru_maxrss) / 1024, recovery.value_or(-1));
}

}  // namespace

int main(int argc, char** argv) {
  std::puts("  clients  service        events    CPU s ns/event  RSS MiB   recovers in");
  for (int i = 1; i < argc; ++i)
    simulate(static_cast<std::uint32_t>(std::atoi(argv[i])), anew_plan::outage_mode::refuses);
  for (int i = 1; i < argc; ++i)
    simulate(static_cast<std::uint32_t>(std::atoi(argv[i])), anew_plan::outage_mode::drops);
}
