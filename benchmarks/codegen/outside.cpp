// SPDX-License-Identifier: BSL-1.0
#include "cases.hpp"

namespace cases {

answer ask() { return {1, 0}; }
answer ask_quietly() noexcept { return {1, 0}; }
answer ask_nth(unsigned attempt) { return {static_cast<int>(attempt), 0}; }
answer ask_about(anew::attempt& a) { return {static_cast<int>(a.number()), 0}; }
text ask_for_text() { return "a text that is too long for the string itself"; }
reading ask_for_reading() { return point{1, 2}; }
int ask_or_throw() { return 1; }

unsigned failures_to_come = 0;
void fail_next(unsigned failures) noexcept { failures_to_come = failures; }
answer ask_busy() {
  if (failures_to_come == 0) return {1, 0};
  --failures_to_come;
  return {0, busy};
}

void wait(anew::duration /*delay*/) {}
void tell_retry(unsigned /*attempt*/) noexcept {}
void tell_end(unsigned /*attempts*/) noexcept {}

}  // namespace cases
