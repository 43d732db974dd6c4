// SPDX-License-Identifier: BSL-1.0
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "anew/anew.hpp"
#include "anew/policies/sharing/partitioned.hpp"

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

/// A look-up among numbers that count up (0), and among numbers that share a place under the finaliser of SplitMix64 (1).
void look_up_of_chosen_keys(benchmark::State& state) {
  auto const unshift = [](std::uint64_t x, unsigned by) { return x ^ (x >> by) ^ (x >> 2 * by); };
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(state.range(0)));
  for (std::size_t n = 0; n != keys.size(); ++n) {
    auto const chosen = unshift(unshift(n << 40U, 31) * 0x319642b2d24d8ec3U, 27) * 0x96de1b173f119089U;
    keys[n] = state.range(1) != 0 ? unshift(chosen, 30) : n;
  }
  anew::partitioned<std::uint64_t, bucket> of{keys.size()};
  for (auto const key : keys) benchmark::DoNotOptimize(of.at(key));
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

/// The slowest of a thousand look-ups on each of two threads, beside a third that looks up too (0) or scrapes (1).
void look_up_beside(benchmark::State& state) {
  using clock = std::chrono::steady_clock;
  auto const keys = names(static_cast<std::size_t>(state.range(0)));
  registry of{keys.size()};
  for (auto const& key : keys) benchmark::DoNotOptimize(of.at(key));
  bool const scrapes = state.range(1) != 0;
  for (auto turn : state) {
    std::atomic<bool> is_over{false};
    std::atomic<std::uint64_t> scraped{0};
    std::vector<std::int64_t> took[2];
    auto const look_ups = [&](std::uint64_t seed, std::vector<std::int64_t>* times) {
      anew::generator dice{seed, 1};
      while (!is_over.load(std::memory_order_relaxed)) {
        auto const& key = keys[dice() % keys.size()];
        auto const begin = clock::now();
        benchmark::DoNotOptimize(of.at(key));
        if (times != nullptr) times->push_back((clock::now() - begin).count());
      }
    };
    std::vector<std::thread> threads;
    for (std::uint64_t i = 0; i != 2; ++i) {
      took[i].reserve(20'000'000);
      threads.emplace_back([&, i] { look_ups(i + 1, &took[i]); });
    }
    threads.emplace_back([&] {
      if (!scrapes) return look_ups(3, nullptr);
      while (!is_over) {
        std::uint64_t sum = 0;
        of.for_each([&](std::string const&, bucket const& each) { sum += each.balance(); });
        benchmark::DoNotOptimize(sum);
        ++scraped;
      }
    });
    std::this_thread::sleep_for(interleaved::smoke() ? std::chrono::milliseconds{1} : std::chrono::milliseconds{1'000});
    is_over = true;
    for (auto& one : threads) one.join();
    took[0].insert(took[0].end(), took[1].begin(), took[1].end());
    auto const slow = took[0].begin() + static_cast<std::ptrdiff_t>(took[0].size() * 999 / 1000);
    if (slow != took[0].end()) {
      std::nth_element(took[0].begin(), slow, took[0].end());
      state.counters["p99.9_ns"] = static_cast<double>(*slow);
    }
    state.counters["scrapes"] = static_cast<double>(scraped);
  }
}

/// What a key occupies, with the string that it is (35 bytes of the heap) and its bucket.
void memory(benchmark::State& state) {
  auto const keys = names(static_cast<std::size_t>(state.range(0)));
  auto const used = [] { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; };
  for (auto turn : state) {
    auto const before = used();
    registry of{keys.size()};
    for (auto const& key : keys) benchmark::DoNotOptimize(of.at(key));
    state.counters["bytes_a_key"] = static_cast<double>(used() - before) / static_cast<double>(keys.size());
  }
}

BENCHMARK_TEMPLATE(look_up, by_hand)->Arg(10)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK_TEMPLATE(look_up, registry)->Arg(10)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(look_up_of_chosen_keys)->ArgsProduct({{10, 10'000}, {0, 1}});
BENCHMARK(new_key_when_full)->ArgsProduct({{10, 1'000, 100'000, 1'000'000}, {0, 50, 100}});
BENCHMARK(scrape)->Arg(1'000)->Arg(1'000'000);
BENCHMARK(look_up_beside)->ArgsProduct({{10, 1'000'000}, {0, 1}})->Iterations(1)->UseRealTime();
BENCHMARK(memory)->Arg(10)->Arg(1'000)->Arg(100'000)->Arg(1'000'000)->Iterations(1);

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
