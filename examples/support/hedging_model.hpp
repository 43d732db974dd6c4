// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_EXAMPLES_SUPPORT_HEDGING_MODEL_HPP
#define ANEW_EXAMPLES_SUPPORT_HEDGING_MODEL_HPP

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>
#include <tuple>
#include <vector>

#include "anew/anew.hpp"
#include "anew/base/random_source.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/quota/retry_budget.hpp"

/// A model of servers with a slow tail, and hedged calls to them under a simulated clock. The reference rows are
/// computed from the same model by another program: quantiles by closed form (P(L > t) = S(t) S(t-d) for independent
/// replicas with survival S and a hedge after d), the slow-down by its simulation.
namespace hedging_model {

using namespace std::chrono_literals;

inline anew::time_point virtual_time{};
struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};

inline double in_ms(anew::duration d) { return static_cast<double>(d.count()) / 1e6; }

/// The inverse of the normal distribution. Source: P. J. Acklam's rational approximation, relative error below 1.15e-9.
inline double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1 - p);
  if (p < 0.02425) {
    auto const q = std::sqrt(-2 * std::log(p));
    return (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838) * q - 2.549732539343734) *
                 q +
             4.374664141464968) *
                q +
            2.938163982698783) /
           ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996) * q + 3.754408661907416) *
                q +
            1);
  }
  auto const q = p - 0.5;
  auto const r = q * q;
  return (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r +
            1.383577518672690e+02) *
               r -
           3.066479806614716e+01) *
              r +
          2.506628277459239) *
         q /
         (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r +
            6.680131188771972e+01) *
               r -
           1.328068155288572e+01) *
              r +
          1);
}

/// How long an attempt takes, from a number between 0 and 1: lognormal around 5 ms (sigma 0.35), and 1.2 % slow ones,
/// lognormal around `slow` (sigma 0.25).
struct latency_model {
  double slow_ms;
  [[nodiscard]] anew::duration draw(double u, double factor = 1) const {
    constexpr double share = 0.012;
    auto const ms = u < share ? slow_ms * std::exp(0.25 * normal_quantile(u / share))
                              : 5 * std::exp(0.35 * normal_quantile((u - share) / (1 - share)));
    return anew::duration{static_cast<std::int64_t>(ms * factor * 1e6)};
  }
};

inline double uniform(anew::generator& dice) { return (static_cast<double>(dice() >> 11U) + 0.5) / 9007199254740992.0; }

/// The smallest value that is not below that share of all.
inline double quantile_ms(std::vector<anew::duration>& all, double share) {
  auto const at = all.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size()));
  std::nth_element(all.begin(), at, all.end());
  return in_ms(*at);
}

/// The results of some calls.
struct summary {
  std::vector<anew::duration> took{};
  std::uint64_t attempts = 0;
  [[nodiscard]] double extra_load_percent() const {
    return took.empty() ? 0 : 100 * (static_cast<double>(attempts) / static_cast<double>(took.size()) - 1);
  }
};

/// Calls under way at the same time, each a `hedge_machine`, and a queue of what happens next.
template <class S, class H>
class simulation {
 public:
  simulation(S const& strategy, H const& hedging) : strategy_{strategy}, hedging_{hedging} {}

  /// Calls begin at these times; `draw(when)` is the latency of an attempt that begins then, and
  /// `done(began, took, attempts)` is called for each call that succeeded.
  template <class Draw, class Done>
  void run(std::size_t count, anew::duration interval, Draw const& draw, Done const& done) {
    std::size_t begun = 0;
    auto next = virtual_time;
    while (begun != count || !events_.empty()) {
      if (begun != count && (events_.empty() || next <= events_.top().when)) {
        virtual_time = next;
        next += interval;
        ++begun;
        calls_.push_back(std::make_unique<call>(strategy_, hedging_));
        auto const index = calls_.size() - 1;
        follow(index, calls_[index]->machine.begin(), draw, done);
        continue;
      }
      auto const e = events_.top();
      events_.pop();
      auto* const c = calls_[e.call].get();
      if (c == nullptr) continue;  // it is over, and this is a loser's end
      virtual_time = e.when;
      if (e.attempt != 0) {
        follow(e.call, c->machine.on_success(e.attempt), draw, done);
      } else if (e.timer == c->timer) {
        follow(e.call, c->machine.on_time(), draw, done);
      }
    }
    calls_.clear();
  }

 private:
  struct call {
    anew::hedge_machine<S, H, anew::idempotent_call.value> machine;
    anew::time_point began = virtual_time;
    std::uint64_t timer = 0;
    call(S const& strategy, H const& hedging) : machine{strategy, hedging} {}
  };
  struct event {
    anew::time_point when;
    std::uint64_t order;  // of two at one time the older one is first
    std::size_t call;
    std::uint32_t attempt;  // 0: the timer
    std::uint64_t timer;
    bool operator<(event const& other) const { return std::tie(when, order) > std::tie(other.when, other.order); }
  };

  template <class Draw, class Done>
  void follow(std::size_t index, anew::hedge_step const& step, Draw const& draw, Done const& done) {
    auto& c = *calls_[index];
    if (step.start != 0) events_.push({virtual_time + draw(virtual_time), ++order_, index, step.start, 0});
    if (step.timer != anew::hedge_timer::keep) ++c.timer;
    if (step.timer == anew::hedge_timer::set) {
      events_.push({anew::detail::saturating_add(virtual_time, step.after), ++order_, index, 0, c.timer});
    }
    if (step.finished) {
      done(c.began, virtual_time - c.began, c.machine.attempts());
      calls_[index].reset();
    }
  }

  S const& strategy_;
  H const& hedging_;
  std::vector<std::unique_ptr<call>> calls_{};
  std::priority_queue<event> events_{};
  std::uint64_t order_ = 0;
};

/// Independent replicas: `count` calls one after the other, each attempt as if it was alone. First attempts, and hedges,
/// have numbers that are as even as can be, with a seeded shift, so that few calls tell much of the tail.
template <class H>
summary independent_replicas(H const& hedging, std::size_t count, std::uint64_t seed) {
  using strategy = anew::strategy<anew::retry_all, anew::max_attempts<3>, virtual_clock>;
  strategy const one{};
  latency_model const model{1000};
  anew::generator dice{seed};
  double const steps[] = {0.6180339887498949, 0.4142135623730951, 0.7320508075688772};  // of the roots of 5, 2, 3
  double at[] = {uniform(dice), uniform(dice), uniform(dice)};

  summary seen;
  seen.took.reserve(count);
  simulation<strategy, H> calls{one, hedging};
  for (std::size_t i = 0; i != count; ++i) {
    std::size_t attempt = 0;
    auto const draw = [&](anew::time_point) {
      auto& u = at[attempt];
      u = std::fmod(u + steps[attempt], 1.0);
      ++attempt;
      return model.draw(std::clamp(u, 1e-12, 1 - 1e-12));
    };
    calls.run(1, 0ns, draw, [&](anew::time_point, anew::duration took, std::uint32_t attempts) {
      seen.took.push_back(took);
      seen.attempts += attempts;
    });
  }
  return seen;
}

struct slowdown {
  summary before{};
  summary first_5s{};
  summary later{};
};

/// 200 calls a second for 80 seconds to a server with a slow tail around 100 ms; after 20 seconds all of it is ten
/// times slower.
template <class S, class H>
slowdown slow_down(S const& strategy, H const& hedging, std::uint64_t seed) {
  latency_model const model{100};
  anew::generator dice{seed};
  auto const begin = virtual_time;
  slowdown seen;
  simulation<S, H>{strategy, hedging}.run(
      80 * 200, 5ms, [&](anew::time_point when) { return model.draw(uniform(dice), when - begin < 20s ? 1 : 10); },
      [&](anew::time_point began, anew::duration took, std::uint32_t attempts) {
        auto& part = began - begin < 20s ? seen.before : began - begin < 25s ? seen.first_5s : seen.later;
        part.took.push_back(took);
        part.attempts += attempts;
      });
  return seen;
}

using without_budget = anew::strategy<anew::retry_all, anew::max_attempts<2>, virtual_clock>;
using with_budget = anew::with<without_budget, anew::retry_budget<5, 0>>;  // 5 % of the calls of the last 10 s
using learning = anew::hedge_at_quantile<95, 100, 1, anew::quantile_bounds{.initial = 10ms}>;

/// A row of the reference. Source: the model above; closed forms, compared with 2,000,000 random calls.
struct independent_row {
  char const* name;
  anew::duration delay;
  std::uint32_t extra;
  double extra_load_percent;
  double p999_ms;
};
inline constexpr independent_row independent_rows[] = {
    {"none", 0us, 0, 0, 1413.047},          {"after p50", 5027us, 1, 50, 13.644},
    {"after p90", 8010us, 1, 10, 16.394},   {"after p95", 9286us, 1, 5, 17.643},
    {"after p99", 785170us, 1, 1, 793.158}, {"after p95, twice", 9286us, 2, 5.0604, 17.643},
    {"both at once", 0us, 1, 100, 10.270},
};

/// As above; before, in the first 5 seconds after, and from then on. Source: simulation of the model; its adaptive
/// delay is the 95th percentile of the last 1,000 latencies, refreshed every 3 seconds, its budget a bucket of 10.
struct slowdown_row {
  char const* name;
  double before_percent;
  double first_5s_percent;
  double later_percent;
};
inline constexpr slowdown_row slowdown_rows[] = {
    {"fixed delay", 5.138, 100.0, 100.0},
    {"learned delay", 4.885, 61.84, 4.98},
    {"fixed delay, 5 % budget", 4.704, 5.1, 5.0},
    {"learned delay, 5 % budget", 4.602, 5.02, 4.791},
};

}  // namespace hedging_model

#endif
