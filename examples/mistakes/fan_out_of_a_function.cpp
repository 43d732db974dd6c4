// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A fan_out of something else
// A function does not say which events it wants. Write a class with `on_attempt`, `on_retry` or `on_end` as a const
// function.
// expect-error: anew::fan_out<Observers...> requires observers only
#include <cstdio>

#include "anew/anew.hpp"
#include "anew/observer/fan_out.hpp"

struct say_end {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& event) const { std::printf("%s\n", to_string(event.reason)); }
};

struct count_retries {
  using role = anew::roles::observer;
  unsigned* count;
  void on_retry(anew::retry_event const& /*event*/) const { ++*count; }
};

int main() {
  unsigned retries = 0;
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto const strategy = anew::compose(anew::fan_out{say_end{}, [&](anew::retry_event const&) { ++retries; }});
#else  // right
  auto const strategy = anew::compose(anew::fan_out{say_end{}, count_retries{&retries}});
#endif
  // [/fix]
  anew::retry(strategy, [] {});
}
