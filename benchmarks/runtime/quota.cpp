// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "anew/anew.hpp"

#include "interleaved.hpp"
#include "loops.hpp"

/// What one operation on a bucket costs each of one and two threads that share it: of anew, of a compare-exchange by
/// hand, of a mutex. All without a call around it.
namespace {

using loops::half_an_ocean;
using loops::ocean;

class mutex_bucket {
 public:
  explicit mutex_bucket(std::uint32_t capacity) : capacity_{capacity}, balance_{capacity} {}
  bool take(std::uint32_t cost) {
    std::lock_guard const hold{mutex_};
    if (balance_ < cost) return false;
    balance_ -= cost;
    return true;
  }
  void give_back(std::uint32_t amount) {
    std::lock_guard const hold{mutex_};
    balance_ = capacity_ - balance_ > amount ? balance_ + amount : capacity_;
  }

 private:
  std::mutex mutex_;
  std::uint32_t const capacity_;
  std::uint32_t balance_;
};

class anew_bucket {
 public:
  bool take(std::uint32_t cost) const noexcept {
    auto const kind = cost == 1 ? anew::error_kind::transient : anew::error_kind::throttling;
    return bucket_.try_acquire(anew::failure{kind}).has_value();
  }
  void give_back(std::uint32_t amount) const noexcept { bucket_.on_success(amount); }

 private:
  loops::cheap_bucket bucket_;
};

template <class Bucket>
Bucket make() {
  if constexpr (std::is_default_constructible_v<Bucket>) {
    return Bucket{};
  } else {
    return Bucket{ocean};
  }
}

template <class Bucket>
void success_at_full(benchmark::State& state) {
  static Bucket bucket = make<Bucket>();
  for (auto turn : state) bucket.give_back(1);
}

template <class Bucket>
void take_and_give_back(benchmark::State& state) {
  static Bucket bucket = [] { return make<Bucket>(); }();
  static bool const half = bucket.take(half_an_ocean);
  benchmark::DoNotOptimize(half);
  for (auto turn : state) {
    benchmark::DoNotOptimize(bucket.take(1));
    bucket.give_back(1);
  }
}

#define ANEW_BENCHMARK_QUOTA(function)                                      \
  BENCHMARK_TEMPLATE(function, anew_bucket)->Threads(1)->Threads(2);        \
  BENCHMARK_TEMPLATE(function, loops::hand_bucket)->Threads(1)->Threads(2); \
  BENCHMARK_TEMPLATE(function, mutex_bucket)->Threads(1)->Threads(2)

ANEW_BENCHMARK_QUOTA(success_at_full);
ANEW_BENCHMARK_QUOTA(take_and_give_back);

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments{argv, argv + argc};
  std::string quick = "--benchmark_min_time=0.001";
  if (interleaved::smoke()) arguments.push_back(quick.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
