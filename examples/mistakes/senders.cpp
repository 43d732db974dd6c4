// SPDX-License-Identifier: BSL-1.0
// chapter: Senders

#include <chrono>
#include <system_error>

#include "anew/anew.hpp"
#include "anew/policies/classifier/error_code.hpp"

#include "../support/minimal_sender.hpp"
#define ANEW_SENDERS minimal
#include "anew/sender.hpp"

using reads_codes = anew::strategy<anew::error_code_classifier>;

// section: An operation that returns no sender
// Return the sender of one attempt, which the call connects and starts. For an operation that blocks: `retry()`.
// expect-error: requires an operation that returns the sender of one attempt
namespace operation_returns_no_sender {
void run(minimal::scheduler on) {
  reads_codes const strategy{};
#ifdef ANEW_REJECT  // wrong
  auto const send = [] { return std::error_code{}; };
#else  // right
  auto const send = [on] { return minimal::schedule_after(on, anew::duration{1}); };
#endif
  static_cast<void>(anew::retry_sender{strategy, on, send});
}
}  // namespace operation_returns_no_sender

// section: A scheduler that cannot wait
// The call waits between attempts with `schedule_after(scheduler, duration)`. Pass a timed scheduler.
// expect-error: requires a scheduler that can wait
namespace scheduler_cannot_wait {
struct pool {};

void run(minimal::scheduler timed) {
  reads_codes const strategy{};
  auto const send = [timed] { return minimal::schedule_after(timed, anew::duration{1}); };
#ifdef ANEW_REJECT  // wrong
  static_cast<void>(anew::retry_sender{strategy, pool{}, send});
#else  // right
  static_cast<void>(anew::retry_sender{strategy, timed, send});
#endif
}
}  // namespace scheduler_cannot_wait
