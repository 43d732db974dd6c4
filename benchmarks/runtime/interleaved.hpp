// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BENCHMARKS_RUNTIME_INTERLEAVED_HPP
#define ANEW_BENCHMARKS_RUNTIME_INTERLEAVED_HPP

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

/// Measures several ways to do the same by turns, many short rounds of each, so that what disturbs the machine disturbs
/// all of them. The first way is the measure of the others. A time is that of the fastest tenth of the rounds, a ratio the
/// median of the ratios within a round.
namespace interleaved {

/// Does it `n` times.
using way = void (*)(std::uint64_t n);

struct named_way {
  char const* name;
  way run;
};

/// ANEW_BENCHMARK_SMOKE=1 in the environment: does it run at all?
inline bool smoke() {
  auto const* const wish = std::getenv("ANEW_BENCHMARK_SMOKE");
  return wish != nullptr && *wish != '\0' && *wish != '0';
}

inline double nanoseconds_of(way run, std::uint64_t n) {
  using clock = std::chrono::steady_clock;
  auto const begin = clock::now();
  run(n);
  std::chrono::duration<double, std::nano> const taken = clock::now() - begin;
  return taken.count() / static_cast<double>(n);
}

inline double quantile(std::vector<double> values, double q) {
  auto const place = values.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(values.size() - 1) * q);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}
inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

/// How often it is done in one round: for about a millisecond.
inline std::uint64_t round_length(way run) {
  if (smoke()) return 100;
  constexpr double round = 1e6;
  std::uint64_t n = 1;
  for (;;) {
    auto const taken = nanoseconds_of(run, n) * static_cast<double>(n);
    if (taken >= round || n >= (std::uint64_t{1} << 40U)) return n;
    n *= 2;
  }
}

struct measured {
  double nanoseconds;
  double ratio;  ///< to the first
};

inline std::vector<measured> measure(std::vector<named_way> const& ways) {
  auto const rounds = smoke() ? 3U : 101U;
  std::vector<std::uint64_t> lengths;
  for (auto const& each : ways) lengths.push_back(round_length(each.run));
  std::vector<std::vector<double>> times(ways.size());
  std::vector<std::vector<double>> ratios(ways.size());
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      auto const which = (i + round) % ways.size();
      times[which].push_back(nanoseconds_of(ways[which].run, lengths[which]));
    }
    for (std::size_t i = 0; i < ways.size(); ++i) ratios[i].push_back(times[i].back() / times[0].back());
  }
  std::vector<measured> result;
  for (std::size_t i = 0; i < ways.size(); ++i) result.push_back({quantile(times[i], 0.1), median(ratios[i])});
  return result;
}

inline void print_header() { std::printf("%-34s %-26s %10s %8s\n", "", "", "ns", "x"); }

inline std::vector<measured> report(char const* what, std::vector<named_way> const& ways) {
  auto results = measure(ways);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    std::printf("%-34s %-26s %10.2f %8.2f\n", i == 0 ? what : "", ways[i].name, results[i].nanoseconds,
                results[i].ratio);
  }
  std::fflush(stdout);
  return results;
}

}  // namespace interleaved

#endif
