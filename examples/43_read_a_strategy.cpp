// SPDX-License-Identifier: BSL-1.0
// A strategy that a setting names, read from text.
#include <cstdio>
#include <string>
#include <string_view>

#include "anew/anew.hpp"
#include "anew/compose/describe.hpp"
#include "anew/compose/notation/read_strategy.hpp"

// [words]
// The words of the library for the classifiers that read a status; core_words has the rest.
using my_words = anew::join_words<anew::core_words, anew::words::http_status, anew::random_source_words>;
// [/words]

int get_status(int& attempts) { return ++attempts < 3 ? 503 : 200; }

// [run]
void run(std::string_view setting) {
  auto const read = anew::read_strategy<my_words>(setting, anew::http_statuses{});
  if (!read) {
    std::printf("%s\n", anew::in_lines(read.error(), setting).c_str());
    return;
  }
  int attempts = 0;
  int const status = anew::retry(*read, [&] { return get_status(attempts); });
  std::printf("%s\n%d after %d attempts\n", anew::describe(*read).c_str(), status, attempts);
}
// [/run]

int main() {
  // [texts]
  run("exponential(1ms,5ms) http_status(429,5xx) max_attempts(4) seed(7)");
  run("exponential(1ms,5) max_attempts(4)");
  run("exponentional(1ms,5ms)");
  run("deadline(2s)");
  // [/texts]
}
