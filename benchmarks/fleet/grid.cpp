// SPDX-License-Identifier: BSL-1.0
// How often a verdict of anew-plan is that of a hundred other simulations: strategies, loads and outages in a grid, with
// seeds that were used for nothing else.
//   grid [SEEDS [THREADS [STEP]]]
// A point within the margin of the load from which on the strategy holds the service down counts apart: chance decides
// there. Of the other points that hold down, each change that a verdict proposes is simulated with up to ten of the seeds.
// The exit code is 1 where fewer than 99 % of the points outside of the margin agree, or where a change does not recover
// with each seed.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "by_text.hpp"
#include "instant.hpp"
#include "verdict.hpp"

namespace {

using namespace std::chrono_literals;

using anew_plan::margin;

struct outage {
  anew::duration length;
  double remaining;
};
struct proposal {
  std::string strategy;
  unsigned recovered = 0;
};
struct point {
  std::string strategy;
  anew_plan::scenario of;
  bool is_close = false;   // to the load from which on it holds down
  bool recovers = false;   // says the verdict
  unsigned recovered = 0;  // of the other simulations
  std::vector<proposal> changes{};
};

std::vector<point> grid() {
  std::vector<point> points;
  std::string const backoff = "exponential(50ms,20s) full_jitter ";
  for (auto const& strategy :
       {backoff + "max_attempts(1)", backoff + "max_attempts(2)", backoff + "max_attempts(3)",
        backoff + "max_attempts(4) token_bucket(100)", backoff + "max_attempts(3) retry_budget(20%,0,10s)",
        backoff + "max_attempts(3) retry_budget(10%,2,10s)", backoff + "max_attempts(5) circuit_breaker(5,10s)",
        anew_plan::text_of("aws-standard"), anew_plan::text_of("aws-standard-2020"), anew_plan::text_of("grpc")}) {
    for (auto const& [length, remaining] :
         {outage{5s, 0}, outage{10s, 0.1}, outage{20s, 0.3}, outage{30s, 0}, outage{60s, 0.2}}) {
      for (double const load : {0.25, 0.3, 0.37, 0.45, 0.53, 0.6, 0.67, 0.75, 0.83, 0.9}) {
        point one;
        one.strategy = strategy;
        one.of.outage = length;
        one.of.remaining = remaining;
        one.of.rate = load * one.of.capacity / one.of.clients;
        points.push_back(std::move(one));
      }
    }
  }
  return points;
}

/// How many other simulations recover.
unsigned recoveries(std::string const& strategy, anew_plan::scenario of, unsigned seeds) {
  unsigned count = 0;
  for (unsigned i = 0; i != seeds; ++i) {
    of.seed = 1'000'000'007 + i;
    count += anew_plan::judge_once(strategy, of) ? 1U : 0U;
  }
  return count;
}
unsigned seeds_of_change(unsigned seeds) { return std::min(seeds, 10U); }

void judge(point& one, unsigned seeds) {
  auto const from = anew_plan::holds_down_from_load(one.strategy, one.of);
  one.is_close = from && std::abs(*from - one.of.load()) < margin;
  one.recovers = anew_plan::judge(one.strategy, one.of).has_value();
  one.recovered = recoveries(one.strategy, one.of, seeds);
  if (one.is_close || one.recovers) return;
  for (auto const& change : anew_plan::changes_for(one.strategy, one.of)) {
    one.changes.push_back({change.strategy, recoveries(change.strategy, one.of, seeds_of_change(seeds))});
  }
}

}  // namespace

int main(int argc, char** argv) {
  auto const seeds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 100;
  auto const threads = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : std::thread::hardware_concurrency();
  auto const step = argc > 3 ? static_cast<std::size_t>(std::max(1, std::atoi(argv[3]))) : 1;
  auto points = grid();
  for (std::size_t i = 0; i * step < points.size(); ++i) std::swap(points[i], points[i * step]);
  points.erase(points.begin() + static_cast<std::ptrdiff_t>((points.size() + step - 1) / step), points.end());
  std::atomic<std::size_t> next{0};
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i != threads; ++i) {
      workers.emplace_back([&] {
        for (auto at = next++; at < points.size(); at = next++) judge(points[at], seeds);
      });
    }
  }
  std::size_t close = 0, agree = 0, down = 0, changes = 0, true_changes = 0;
  std::uint64_t runs = 0, same = 0;
  for (auto const& one : points) {
    if (one.is_close) {
      ++close;
      continue;
    }
    auto const with_verdict = one.recovers ? one.recovered : seeds - one.recovered;
    down += one.recovers ? 0U : 1U;
    runs += seeds;
    same += with_verdict;
    if (2 * with_verdict > seeds) ++agree;
    if (with_verdict != seeds) {
      std::printf("%s, load %.2f, outage %.0f s@%.0f %%: %s, as do %u of %u\n", one.strategy.c_str(), one.of.load(),
                  anew_plan::seconds_of(one.of.outage.count()), 100 * one.of.remaining,
                  one.recovers ? "recovers" : "holds down", with_verdict, seeds);
    }
  }
  for (auto const& one : points) {
    for (auto const& [strategy, recovered] : one.changes) {
      ++changes;
      if (recovered == seeds_of_change(seeds)) {
        ++true_changes;
      } else {
        std::printf("%s, proposed for %s, load %.2f, outage %.0f s@%.0f %%: recovers with %u of %u\n", strategy.c_str(),
                    one.strategy.c_str(), one.of.load(), anew_plan::seconds_of(one.of.outage.count()),
                    100 * one.of.remaining, recovered, seeds_of_change(seeds));
      }
    }
  }
  auto const judged = points.size() - close;
  std::printf(
      "%zu points, %zu of them within %.0f %% of the threshold; of the others %zu hold down.\n"
      "The verdict agrees with most seeds at %zu of %zu points, and with %.2f %% of all simulations.\n"
      "Of %zu proposed changes %zu recover with each of %u seeds.\n",
      points.size(), close, 100 * margin, down, agree, judged,
      100 * static_cast<double>(same) / static_cast<double>(runs), changes, true_changes, seeds_of_change(seeds));
  return 100 * agree >= 99 * judged && true_changes == changes ? 0 : 1;
}
