// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BENCHMARKS_RUNTIME_INTERLEAVED_HPP
#define ANEW_BENCHMARKS_RUNTIME_INTERLEAVED_HPP

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

/// Measures several ways to do the same by turns, many short rounds of each, so that what disturbs the machine disturbs
/// all of them. Counted is the time of this thread on a processor, not what passes while another one has it; a figure is
/// that of the fastest tenth of the rounds.
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

/// In nanoseconds.
inline double processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

inline double nanoseconds_of(way run, std::uint64_t n) {
  auto const begin = processor_time();
  run(n);
  return (processor_time() - begin) / static_cast<double>(n);
}

inline double quantile(std::vector<double> values, double q) {
  auto const place = values.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(values.size() - 1) * q);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}
inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

/// How often it is done in one round: for about 300 us.
inline std::uint64_t round_length(way run) {
  if (smoke()) return 100;
  constexpr double round = 3e5;
  std::uint64_t n = 1;
  for (;;) {
    auto const taken = nanoseconds_of(run, n) * static_cast<double>(n);
    if (taken >= round || n >= (std::uint64_t{1} << 40U)) return n;
    n *= 2;
  }
}

/// The times of each round in nanoseconds, for each of the ways; what was measured in one round has one place.
inline std::vector<std::vector<double>> rounds_of(std::vector<named_way> const& ways) {
  auto const rounds = smoke() ? 3U : 301U;
  std::vector<std::uint64_t> lengths;
  for (auto const& each : ways) lengths.push_back(round_length(each.run));
  std::vector<std::vector<double>> times(ways.size(), std::vector<double>(rounds));
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      auto const which = (i + round) % ways.size();
      times[which][round] = nanoseconds_of(ways[which].run, lengths[which]);
    }
  }
  return times;
}

struct measured {
  double nanoseconds;
  double ratio;  ///< to the first
};

inline std::vector<measured> measure(std::vector<named_way> const& ways) {
  std::vector<measured> result;
  for (auto const& series : rounds_of(ways)) {
    auto const time = quantile(series, 0.1);
    result.push_back({time, time / (result.empty() ? time : result.front().nanoseconds)});
  }
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
