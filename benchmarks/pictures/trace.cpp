// SPDX-License-Identifier: BSL-1.0
// Prints the trace events of two calls at once that share a bucket for three retries: one fails and is retried, the other is
// hedged. docs/pictures/draw.py draws them.
#include <chrono>
#include <iostream>
#include <system_error>

#include "anew/anew.hpp"
#include "anew/hedge.hpp"
#include "anew/machine.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/text/json/json_lines.hpp"

int main() {
  using namespace std::chrono_literals;
  anew::trace_file file{std::cout};
  anew::testing::manual_clock const clock;
  auto const begin = clock.now();
  auto const strategy =
      anew::compose(anew::constant_backoff<40ms>{}, anew::no_jitter{}, anew::token_bucket<42>{},
                    anew::error_code_classifier{}, anew::max_attempts<4>{}, clock, anew::trace_events{file});
  anew::hedge_after<50ms> const hedging;
  auto const at = [&](anew::duration when) { clock.set(begin + when); };
  auto const refused = std::make_error_code(std::errc::connection_refused);
  {
    anew::retry_machine retried{strategy, anew::idempotent_call};
    (void)retried.begin();
    at(10ms);
    anew::hedge_machine hedged{strategy, hedging, anew::idempotent_call};
    (void)hedged.begin();
    at(30ms), (void)retried.on_outcome(refused);
    at(60ms), (void)hedged.on_time();  // the second attempt begins
    at(70ms), (void)retried.on_wait_over();
    at(100ms), (void)retried.on_outcome(refused);
    at(130ms), (void)hedged.on_outcome(2, refused);
    at(140ms), (void)retried.on_wait_over();
    at(150ms), (void)retried.on_outcome(refused);  // both calls have spent the bucket
    at(160ms), (void)hedged.on_outcome(1, std::error_code{});
  }
}
