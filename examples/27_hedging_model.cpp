// SPDX-License-Identifier: BSL-1.0
// What hedging does to the tail and to the load, by simulation, beside numbers that were computed from the same model.
// The clock is the example's own: nothing here waits.
#include <chrono>
#include <cstdio>
#include <string>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/quota/retry_budget.hpp"

#include "support/hedging_model.hpp"

using namespace std::chrono_literals;

namespace {

void print(hedging_model::slowdown_row const& row, hedging_model::slowdown const& seen) {
  std::printf("%-26s %6.1f (%5.1f)  %6.1f (%5.1f)  %6.1f (%5.1f)\n", row.name, seen.before.extra_load_percent(),
              row.before_percent, seen.first_5s.extra_load_percent(), row.first_5s_percent,
              seen.later.extra_load_percent(), row.later_percent);
}

}  // namespace

int main() {
  std::puts("A server that answers in 5 ms, and once in 83 times in a second. In parentheses: the reference.\n");
  std::puts("hedge                    p99.9 in ms           extra load in %");
  for (auto const& row : hedging_model::independent_rows) {
    anew::hedge_after const hedging{row.delay, row.extra};
    auto seen = hedging_model::independent_replicas(hedging, 100'000, 28);
    std::printf("%-20s %8.1f (%8.1f)  %8.2f (%6.2f)\n", row.name, hedging_model::quantile_ms(seen.took, 0.999),
                row.p999_ms, seen.extra_load_percent(), row.extra_load_percent);
  }

  std::puts("\nAnd when everything is ten times slower from one moment on: extra load in %\n");
  std::puts("                                  before    first 5 s after     from then on");
  anew::hedge_after<9286us> const fixed;              // the 95th percentile, as it was
  hedging_model::learning const learned;              // the 95th percentile, as it is
  hedging_model::without_budget const free_to_hedge;  // quota: none
  hedging_model::with_budget const on_a_budget;       // quota: retry_budget<5, 0>
  auto const& rows = hedging_model::slowdown_rows;
  print(rows[0], hedging_model::slow_down(free_to_hedge, fixed, 28));
  print(rows[1], hedging_model::slow_down(free_to_hedge, learned, 28));
  print(rows[2], hedging_model::slow_down(on_a_budget, fixed, 28));
  hedging_model::learning const learned_again;
  print(rows[3], hedging_model::slow_down(on_a_budget, learned_again, 28));
  std::printf("\nlearned: %.1f ms at the end; it was 9.3 ms, and is 92.9 ms\n", hedging_model::in_ms(learned.delay()));

  // [hedging]
  anew::hedge_at_quantile<95, 100> const when_late;  // one object for one service and kind of call
  anew::strategy<anew::retry_budget<10, 0>, anew::retry_all, anew::max_attempts<3>> const strategy;
  // [/hedging]

  // [call]
  anew::hedge_machine call{strategy, when_late, anew::idempotent_call};
  auto step = call.begin();                          // step.start == 1: send it, and set the timer to step.after
  step = call.on_time();                             // it fired: is there a budget for step.start == 2?
  step = call.on_outcome(1, std::string{"answer"});  // the first one answers after all
  if (step.finished) std::printf("the result is that of attempt %u\n", step.result_of);  // cancel the others
  // [/call]
}
