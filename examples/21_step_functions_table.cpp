// SPDX-License-Identifier: BSL-1.0
// The table of the guide "Retry with backoff pattern": a workflow retries a task after 3, 4.5 and 6.75 seconds, and then
// fails. Once with the numbers in the type, once with the workflow's own retriers. Nothing here waits.
#include <chrono>
#include <cstdio>
#include <string>

#include "anew/anew.hpp"
#include "anew/presets/step_functions.hpp"

using namespace std::chrono_literals;
namespace step_functions = anew::step_functions;

void print_sleep(anew::duration delay) {
  std::printf("  retry after %.2f s\n", static_cast<double>(delay / 1ms) / 1e3);
}

template <class Outcome>
void print_end(Outcome const& outcome) {
  std::printf("  %u attempts, %s\n", outcome.attempts(), to_string(outcome.reason()));
}

int main() {
  std::puts("get sentiment");
  // [static]
  using get_sentiment = step_functions::retrier<3s, 3, anew::rational{3, 2}>;  // interval, retries, backoff rate

  auto const outcome = anew::retry_outcome(get_sentiment{}, [] { return false; }, print_sleep);
  // [/static]
  print_end(outcome);

  std::puts("with a retrier for each error");
  // [retriers]
  step_functions::strategy const workflow{step_functions::retriers{{
      {.error_equals = {"Lambda.TooManyRequestsException", "Lambda.ServiceException"},
       .interval = 1s,
       .max_attempts = 2},
      {.error_equals = {"States.Timeout"}, .max_attempts = 0},
      {.error_equals = {"States.ALL"}, .interval = 3s, .backoff_rate = {3, 2}},
  }}};
  // [/retriers]

  char const* const fails_by[] = {"Lambda.TooManyRequestsException", "Sentiment.NotReady", "Lambda.ServiceException",
                                  "Sentiment.NotReady", "Lambda.ServiceException"};
  int next = 0;
  // [drive]
  auto const task = [&]() -> std::string { throw step_functions::task_error{fails_by[next++]}; };
  auto const ended = anew::retry_outcome(workflow, task, print_sleep);
  // [/drive]
  print_end(ended);

  next = 0;
  std::puts("a timeout is never retried");
  print_end(anew::retry_outcome(
      workflow, []() -> std::string { throw step_functions::task_error{"States.Timeout"}; }, print_sleep));
}
