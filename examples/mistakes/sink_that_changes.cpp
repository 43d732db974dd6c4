// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A sink that cannot be called
// The sink is a part of the strategy, which is const and shared by threads: keep the state that it changes outside
// it. A `mutable` lambda changes itself.
// expect-error: anew::timeline and anew::json_lines require a sink that is callable as 'sink(std::string_view)
#include <cstdio>
#include <string_view>

#include "anew/anew.hpp"
#include "anew/observer/timeline.hpp"

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::timeline const lines{[n = 0](std::string_view line) mutable { std::printf("%d %s\n", ++n, line.data()); }};
#else  // right
  int n = 0;
  anew::timeline const lines{[&n](std::string_view line) { std::printf("%d %s\n", ++n, line.data()); }};
#endif
  // [/fix]
  anew::retry(anew::compose(lines), [] {});
}
