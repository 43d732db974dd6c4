// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "anew/anew.hpp"
#include "anew/sharing/partitioned.hpp"

#include "interleaved.hpp"

/// What a registry of buckets costs by the number of its keys: a look-up, and a new key when it is full. Beside it one mutex
/// and one hash map, as written by hand, which never forgets.
namespace {

using bucket = anew::token_bucket<500>;
using registry = anew::partitioned<std::string, bucket>;

class by_hand {
 public:
  explicit by_hand(std::size_t most) { map_.reserve(most); }
  bucket& at(std::string const& key) {
    std::lock_guard const hold{mutex_};
    auto& found = map_[key];
    if (found == nullptr) found = std::make_unique<bucket>();
    return *found;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<bucket>> map_;
};

std::string name(std::uint64_t number) {
  auto text = std::to_string(number);
  return "host-" + std::string(15 - text.size(), '0') + text;
}
std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t n = 0; n < count; ++n) all.push_back(name(n));
  return all;
}

template <class Registry>
void look_up(benchmark::State& state) {
  auto const keys = names(static_cast<std::size_t>(state.range(0)));
  Registry of{keys.size()};
  for (auto const& key : keys) benchmark::DoNotOptimize(of.at(key));
  anew::generator dice{1, 1};
  for (auto turn : state) benchmark::DoNotOptimize(of.at(keys[dice() % keys.size()]));
}

/// Of the keys of a full registry, that many of a hundred are leased.
void new_key_when_full(benchmark::State& state) {
  auto const keys = names(static_cast<std::size_t>(state.range(0)));
  registry of{keys.size()};
  std::vector<registry::lease> kept;
  for (std::size_t n = 0; n < keys.size(); ++n) {
    auto const lease = of.at(keys[n]);
    if (n % 100 < static_cast<std::size_t>(state.range(1))) kept.push_back(lease);
  }
  std::uint64_t next = keys.size();
  for (auto turn : state) {
    state.PauseTiming();
    auto const key = name(next++);
    state.ResumeTiming();
    benchmark::DoNotOptimize(of.at(key));
  }
  state.counters["overflow"] = static_cast<double>(of.overflowed()) / static_cast<double>(state.iterations());
}

void scrape(benchmark::State& state) {
  auto const keys = names(static_cast<std::size_t>(state.range(0)));
  registry of{keys.size()};
  for (auto const& key : keys) benchmark::DoNotOptimize(of.at(key));
  for (auto turn : state) {
    std::uint64_t sum = 0;
    of.for_each([&](std::string const&, bucket const& each) { sum += each.balance(); });
    benchmark::DoNotOptimize(sum);
  }
}

BENCHMARK_TEMPLATE(look_up, by_hand)->Arg(10)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK_TEMPLATE(look_up, registry)->Arg(10)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(new_key_when_full)->ArgsProduct({{10, 1'000, 100'000, 1'000'000}, {0, 50, 100}});
BENCHMARK(scrape)->Arg(1'000)->Arg(1'000'000);

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments{argv, argv + argc};
  std::string quick = "--benchmark_min_time=0.001";
  std::string small = "--benchmark_filter=/10(/|$)";
  if (interleaved::smoke()) {
    arguments.push_back(quick.data());
    arguments.push_back(small.data());
  }
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
