// SPDX-License-Identifier: BSL-1.0
// The data of the pictures in docs/pictures, by the library's own strategies in virtual time:
//   data
// Prints CSV: picture, series, x, y, and where there is one a second y. The same at each run.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/policies.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/grpc.hpp"

#include "../../examples/support/hedging_model.hpp"
#include "../fleet/contention.hpp"
#include "fleet.hpp"
#include "scenario.hpp"

namespace {

using namespace std::chrono_literals;
using anew::error_kind;
using anew_plan::virtual_clock;
using anew_plan::virtual_random;

void print(char const* picture, std::string const& series, double x, double y) {
  std::printf("%s,%s,%.6g,%.6g,\n", picture, series.c_str(), x, y);
}
void print(char const* picture, std::string const& series, double x, double y, double second) {
  std::printf("%s,%s,%.6g,%.6g,%.6g\n", picture, series.c_str(), x, y, second);
}

template <class S, class... Policies>
using in_time = anew::with<S, anew::retry_all, virtual_clock, virtual_random, Policies...>;
template <class Backoff, class Jitter, class Limit = anew::unbounded>
using waiting = anew::strategy<Backoff, Jitter, anew::retry_all, Limit, virtual_clock, virtual_random>;
template <std::int64_t MaxAttempts>
using naive = waiting<anew::exponential_backoff<50ms, 20s>, anew::full_jitter, anew::max_attempts<MaxAttempts>>;
using budget = anew::with<naive<3>, anew::retry_budget<20, 0, 10s>>;
using aws_2026 = in_time<anew::aws::standard>;
using aws_2020 = in_time<anew::aws::standard_2020>;
using grpc = in_time<anew::grpc::retry_policy<>>;

template <class S>
using machine_of = anew::retry_machine<S, anew::declared::idempotent>;

double seconds_of(anew::duration d) { return std::chrono::duration<double>(d).count(); }

/// The delays before the first `count` retries of a call that always fails, in seconds.
template <class S>
std::vector<double> delays(S const& strategy, int count) {
  machine_of<S> one{strategy, anew::idempotent_call};
  static_cast<void>(one.begin());
  std::vector<double> result;
  for (int i = 0; i != count; ++i) {
    auto const step = one.on_verdict(anew::directive::retry(error_kind::transient));
    result.push_back(step == anew::next_step::wait ? seconds_of(one.wait()) : 0);
    if (step == anew::next_step::wait) static_cast<void>(one.on_wait_over());
  }
  return result;
}

template <class Jitter, class Backoff = anew::exponential_backoff<10ms, 2s>>
void contend(char const* name) {
  for (std::uint32_t const clients : {1U, 10U, 20U, 30U, 40U, 50U, 60U, 70U, 80U, 90U, 100U}) {
    auto const seen = anew_fleet::optimistic_concurrency<waiting<Backoff, Jitter>>(clients, 100);
    print("jitter_work_and_time", name, clients, seen.calls, seen.seconds);
  }
}

template <class Backoff>
void backoff(char const* name) {
  auto const all = delays(waiting<Backoff, anew::no_jitter>{}, 10);
  for (std::size_t i = 0; i != all.size(); ++i) print("backoffs", name, static_cast<double>(i + 1), all[i]);
}

/// How often the delay before retry 3 (an envelope of 4 s) and before retry 8 (the cap, 8 s) lies in each eighth of a second.
template <class Jitter, class Backoff = anew::exponential_backoff<1s, 8s>>
void jitter(char const* name) {
  constexpr int calls = 100'000;
  constexpr std::size_t bins = 65;
  std::vector<int> below(bins), at_the_cap(bins);
  virtual_random::numbers = anew::generator{7, 1};
  waiting<Backoff, Jitter> const strategy{};
  for (int i = 0; i != calls; ++i) {
    auto const all = delays(strategy, 8);
    ++below[static_cast<std::size_t>(all[2] * 8)];
    ++at_the_cap[static_cast<std::size_t>(all[7] * 8)];
  }
  for (std::size_t i = 0; i != bins; ++i) {
    print("jitters", name, static_cast<double>(i) / 8, 100.0 * below[i] / calls, 100.0 * at_the_cap[i] / calls);
  }
}

template <class S>
anew_plan::observed run(anew_plan::scenario const& s) {
  virtual_clock::ticks = 0;
  virtual_random::numbers = anew::generator{11, 1};
  std::vector<S> strategies;
  strategies.reserve(s.clients);
  for (std::uint32_t i = 0; i != s.clients; ++i) strategies.emplace_back();
  return anew_plan::fleet<S>{strategies, s}.run();
}

template <class S>
void storm(char const* name) {
  anew_plan::scenario s;
  s.after = 55s;
  auto const seen = run<S>(s);
  for (auto at = 0s; at < s.before + s.outage + s.after; at += 1s) {
    auto const of = seen.times.sum(anew::duration{at}.count(), anew::duration{at + 1s}.count());
    print("storm_and_recovery", name, static_cast<double>(at.count()), of.attempts, of.succeeded);
  }
}

/// Seconds until the service has recovered; -1 where it has not within 300 s.
template <class S>
void phases(char const* name) {
  for (auto const outage : {1s, 2s, 5s, 10s, 20s, 40s}) {
    for (int percent = 10; percent <= 90; percent += 5) {
      anew_plan::scenario s;
      s.outage = outage;
      s.rate = percent * 0.01 * s.capacity / s.clients;
      s.after = 300s;
      auto const found = run<S>(s).times.recovery((s.before + s.outage).count());
      print("phase_map", name, percent, static_cast<double>(outage.count()), found.value_or(-1));
    }
  }
}

/// The share of calls that take longer.
void hedging(char const* name, anew::duration after, std::uint32_t extra) {
  auto seen = hedging_model::independent_replicas(anew::hedge_after{after, extra}, 200'000, 28);
  char title[80];
  std::snprintf(title, sizeof title, "%s (%.0f %% more requests)", name, seen.extra_load_percent());
  double longer = 1;
  for (int i = 0; i != 41; ++i, longer *= 0.794328) {  // ten a decade
    print("hedging_tail", title, hedging_model::quantile_ms(seen.took, 1 - longer), 100 * longer);
  }
}

/// A client of 100 calls a second; 60 % of the attempts fail from the 10th to the 30th second, else 2 %.
template <class S>
void balance(char const* name) {
  virtual_random::numbers = anew::generator{11, 1};
  anew::generator dice{3};
  S const strategy{};
  double const capacity = strategy.quota().balance();
  for (int call = 0; call != 6'000; ++call) {
    double const share = call >= 1'000 && call < 3'000 ? 0.6 : 0.02;
    if (call % 50 == 0) print("budget_balance", name, call / 100.0, 100.0 * strategy.quota().balance() / capacity);
    machine_of<S> one{strategy, anew::idempotent_call};
    for (auto step = one.begin(); step != anew::next_step::finished;) {
      if (step == anew::next_step::wait) {
        step = one.on_wait_over();
      } else {
        step = hedging_model::uniform(dice) < share ? one.on_verdict(anew::directive::retry(error_kind::transient))
                                                    : one.on_success();
      }
    }
  }
}

template <class S>
void layers(char const* name) {
  S const strategy{};
  for (int depth = 1; depth <= 5; ++depth) {
    std::uint64_t attempts = 0;
    static_cast<void>(anew_fleet::calls_down(strategy, depth, attempts));
    print("layered_amplification", name, depth, static_cast<double>(attempts));
  }
}

}  // namespace

int main() {
  std::puts("picture,series,x,y,second");
  contend<anew::no_jitter>("no jitter");
  contend<anew::equal_jitter>("equal_jitter");
  contend<anew::full_jitter>("full_jitter");
  contend<anew::decorrelated_jitter, anew::exponential_backoff<5ms, 2s>>("decorrelated_jitter");

  backoff<anew::constant_backoff<5s>>("constant_backoff<5s>");
  backoff<anew::linear_backoff<1s, 30s, 2s>>("linear_backoff<1s 30s 2s>");
  backoff<anew::fibonacci_backoff<1s, 30s>>("fibonacci_backoff<1s 30s>");
  backoff<anew::exponential_backoff<1s, 30s>>("exponential_backoff<1s 30s>");
  backoff<anew::exponential_backoff<1s, 30s, anew::rational{3, 2}>>("exponential_backoff<1s 30s 3/2>");
  backoff<anew::immediate_first<anew::exponential_backoff<1s, 30s>>>("immediate_first<exponential_backoff>");
  backoff<anew::sequence_backoff<1s, 3s, 10s, 25s>>("sequence_backoff<1s 3s 10s 25s>");

  jitter<anew::no_jitter>("no_jitter");
  jitter<anew::full_jitter>("full_jitter");
  jitter<anew::equal_jitter>("equal_jitter");
  jitter<anew::from_first_jitter>("from_first_jitter");
  jitter<anew::proportional_jitter<anew::rational{1, 5}>>("proportional_jitter<1/5>");
  jitter<anew::scaled_jitter<anew::rational{1, 2}, anew::rational{1}>>("scaled_jitter<1/2 1>");
  jitter<anew::decorrelated_jitter>("decorrelated_jitter");
  jitter<anew::polly_decorrelated_jitter>("polly_decorrelated_jitter");
  jitter<anew::cap_after_draw_jitter>("cap_after_draw_jitter");

  storm<naive<1>>("no retries");
  storm<aws_2026>("token bucket: aws::standard");
  storm<naive<3>>("three attempts and no quota");

  phases<naive<3>>("three attempts and no quota");
  phases<budget>("retry_budget of 20 %");
  phases<aws_2026>("token bucket: aws::standard");

  hedging("no hedge", 0us, 0);
  hedging("hedge at p95", 9286us, 1);
  hedging("hedge at p50", 5027us, 1);
  hedging("two at once", 0us, 1);

  balance<aws_2026>("token_bucket of 500: aws::standard");
  balance<aws_2020>("the same: aws::standard_2020");
  balance<grpc>("retry_throttle of 10: grpc::retry_policy");

  layers<naive<3>>("three attempts in each layer");
  layers<anew::with<naive<3>, anew::nesting_guard<>>>("with a nesting_guard");
  return 0;
}
