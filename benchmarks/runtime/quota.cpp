// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "anew/anew.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/gate/striped_client_throttle.hpp"
#include "anew/policies/gate/striped_rate_breaker.hpp"
#include "anew/policies/pacer/striped_client_rate_limiter.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/policies/quota/striped.hpp"

#include "../peers/grpc_throttle.hpp"
#include "interleaved.hpp"
#include "loops.hpp"

/// What one operation on a bucket costs each of one and two threads that share it: of anew, of a compare-exchange by
/// hand, of a mutex, of gRPC's throttle; and one on a budget, a breaker or a pacer, plain and striped. All without a call
/// around it.
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

template <class Bucket>
class bucket_of {
 public:
  bool take(std::uint32_t cost) const noexcept {
    auto const kind = cost == 1 ? anew::error_kind::transient : anew::error_kind::throttling;
    return bucket_.try_acquire(anew::failure{kind}).has_value();
  }
  void give_back(std::uint32_t amount) const noexcept { bucket_.on_success(amount); }
  void earn() const noexcept { bucket_.on_success(0); }

 private:
  Bucket bucket_;
};
using anew_bucket = bucket_of<loops::cheap_bucket>;
using striped_bucket = bucket_of<anew::striped<loops::cheap_bucket>>;

/// gRPC's throttle, which counts failures and successes and knows no price: stated again from its proposal, and anew's.
class grpc_bucket {
 public:
  bool take(std::uint32_t /*cost*/) noexcept { return throttle_.record_failure(); }
  void give_back(std::uint32_t /*amount*/) noexcept { throttle_.record_success(); }

 private:
  peers::grpc_throttle throttle_{1000};
};
class throttle_bucket {
 public:
  bool take(std::uint32_t /*cost*/) const noexcept {
    throttle_.on_attempt_failed(anew::failure{});
    return throttle_.try_acquire(anew::failure{}).has_value();
  }
  void give_back(std::uint32_t /*amount*/) const noexcept { throttle_.on_success({}); }

 private:
  anew::retry_throttle<1000> throttle_;
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

/// A call that needed no retry, at a bucket that never fills.
template <class Bucket>
void success_below_full(benchmark::State& state) {
  static Bucket bucket = [] { return make<Bucket>(); }();
  static bool const half = bucket.take(half_an_ocean);
  benchmark::DoNotOptimize(half);
  for (auto turn : state) {
    if constexpr (requires { bucket.earn(); }) {
      bucket.earn();
    } else {
      bucket.give_back(1);
    }
  }
}

/// One call in a hundred is retried once and succeeds, at a bucket that another client keeps below full.
template <class Bucket>
void one_retry_in_a_hundred(benchmark::State& state) {
  static Bucket bucket = [] { return make<Bucket>(); }();
  static bool const half = bucket.take(half_an_ocean);
  benchmark::DoNotOptimize(half);
  unsigned call = 0;
  for (auto turn : state) {
    if (++call % 100 == 0) {
      benchmark::DoNotOptimize(bucket.take(1));
      bucket.give_back(1);
    } else if constexpr (requires { bucket.earn(); }) {
      bucket.earn();
    } else {
      bucket.give_back(1);
    }
  }
}

/// Time goes on by some nanoseconds with every operation, much as it does, and nobody looks at a clock.
class passing_time {
 public:
  anew::time_point next() noexcept { return now_ += anew::duration{5}; }

 private:
  anew::time_point now_ = anew::time_point{std::chrono::steady_clock::now().time_since_epoch()};
};

/// What a call does to a budget that counts calls, and what one that retries does besides: once, and it succeeds.
template <class Budget>
class calls_of {
 public:
  void call(passing_time& time) const noexcept {
    begin(time);
    end();
  }
  void call_with_a_retry(passing_time& time) const noexcept {
    begin(time);
    retry(time);
    end();
  }
  void retry(passing_time& time) const noexcept {
    auto const permit = [&] {
      if constexpr (has_time) {
        return budget_.try_acquire(anew::failure{}, time.next());
      } else {
        return budget_.try_acquire(anew::failure{});
      }
    }();
    if (permit) budget_.release(*permit);
    benchmark::DoNotOptimize(permit);
  }

 private:
  static constexpr bool has_time = requires(Budget const& b, anew::time_point now) { b.try_acquire({}, now); };
  void begin(passing_time& time) const noexcept { budget_.on_call(time.next()); }
  void end() const noexcept {
    if constexpr (requires { budget_.on_call_end(); }) budget_.on_call_end();
  }

  Budget budget_;
};

template <class Budget>
void calls(benchmark::State& state) {
  static calls_of<Budget> const budget{};
  passing_time time;
  for (auto turn : state) budget.call(time);
}
/// A retry that is charged, and gives its price back.
template <class Budget>
void retries(benchmark::State& state) {
  static calls_of<Budget> const budget{};
  passing_time time;
  for (auto turn : state) budget.retry(time);
}
template <class Budget>
void calls_of_which_a_hundredth_retries(benchmark::State& state) {
  static calls_of<Budget> const budget{};
  passing_time time;
  unsigned call = 0;
  for (auto turn : state) ++call % 100 == 0 ? budget.call_with_a_retry(time) : budget.call(time);
}

/// An attempt that a gate admits, and that succeeds.
template <class Gate>
void attempts(benchmark::State& state) {
  static Gate const gate{};
  passing_time time;
  for (auto turn : state) {
    if (auto const answer = gate.try_enter(time.next()); answer.pass) gate.on_success(*answer.pass, time.next());
  }
}
/// The same at a pacer that has seen no throttling.
template <class Pacer>
void attempts_paced(benchmark::State& state) {
  static Pacer const pacer{};
  passing_time time;
  for (auto turn : state) {
    typename Pacer::ticket_type ticket{};
    if (pacer.ask(ticket, time.next()).wait == anew::duration::zero()) pacer.on_success(time.next());
  }
}

#define ANEW_BENCHMARK_QUOTA(function)                                      \
  BENCHMARK_TEMPLATE(function, anew_bucket)->Threads(1)->Threads(2);        \
  BENCHMARK_TEMPLATE(function, striped_bucket)->Threads(1)->Threads(2);     \
  BENCHMARK_TEMPLATE(function, loops::hand_bucket)->Threads(1)->Threads(2); \
  BENCHMARK_TEMPLATE(function, grpc_bucket)->Threads(1)->Threads(2);        \
  BENCHMARK_TEMPLATE(function, throttle_bucket)->Threads(1)->Threads(2);    \
  BENCHMARK_TEMPLATE(function, mutex_bucket)->Threads(1)->Threads(2)

ANEW_BENCHMARK_QUOTA(success_at_full);
ANEW_BENCHMARK_QUOTA(success_below_full);
ANEW_BENCHMARK_QUOTA(take_and_give_back);
ANEW_BENCHMARK_QUOTA(one_retry_in_a_hundred);

using budget = anew::retry_budget<>;
using striped_budget = anew::striped<budget>;
using concurrency = anew::concurrency_budget<>;
using striped_concurrency = anew::striped<concurrency>;

#define ANEW_BENCHMARK_BUDGETS(function)                                \
  BENCHMARK_TEMPLATE(function, budget)->Threads(1)->Threads(2);         \
  BENCHMARK_TEMPLATE(function, striped_budget)->Threads(1)->Threads(2); \
  BENCHMARK_TEMPLATE(function, concurrency)->Threads(1)->Threads(2);    \
  BENCHMARK_TEMPLATE(function, striped_concurrency)->Threads(1)->Threads(2)

ANEW_BENCHMARK_BUDGETS(calls);
ANEW_BENCHMARK_BUDGETS(retries);
ANEW_BENCHMARK_BUDGETS(calls_of_which_a_hundredth_retries);

using breaker = anew::rate_breaker<>;
BENCHMARK_TEMPLATE(attempts, breaker)->Threads(1)->Threads(2);
BENCHMARK_TEMPLATE(attempts, anew::striped<breaker>)->Threads(1)->Threads(2);
BENCHMARK_TEMPLATE(attempts, anew::client_throttle<>)->Threads(1)->Threads(2);
BENCHMARK_TEMPLATE(attempts, anew::striped<anew::client_throttle<>>)->Threads(1)->Threads(2);
BENCHMARK_TEMPLATE(attempts_paced, anew::client_rate_limiter<>)->Threads(1)->Threads(2);
BENCHMARK_TEMPLATE(attempts_paced, anew::striped<anew::client_rate_limiter<>>)->Threads(1)->Threads(2);

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
