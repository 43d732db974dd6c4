// SPDX-License-Identifier: BSL-1.0
// Meant: on_retries is called.
#include "given.hpp"

struct metrics {
  using role = anew::roles::observer;
  void on_end(anew::end_event const&) const { std::puts("end"); }
  void on_retries(anew::retry_event const&) const { std::puts("retry"); }
};
bool fails() { return ++calls, false; }

int main() { print(anew::retry_outcome(thrice<anew::retry_all, metrics>{}, fails, no_sleep)); }
