// SPDX-License-Identifier: BSL-1.0
// A strategy that a setting names, read from text.
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "anew/anew.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/text/read_strategy.hpp"
#include "anew/virtual.hpp"

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

// [virtual]
/// The strategy that a setting names, as one type for all settings. Throws `std::invalid_argument` with the fault.
std::unique_ptr<anew::retry_strategy> strategy_of(std::string_view setting) {
  auto read = anew::read_strategy<my_words>(setting, anew::http_statuses{});
  using read_type = decltype(std::move(read).value());
  return std::make_unique<anew::virtual_strategy<read_type>>(std::move(read).value());
}
// [/virtual]

int main() {
  // [texts]
  run("exponential(1ms,5ms) http_status(429,5xx) max_attempts(4) seed(7)");
  run("exponential(1ms,5) max_attempts(4)");
  run("exponentional(1ms,5ms)");
  run("deadline(2s)");
  // [/texts]

  // [call]
  auto const strategy = strategy_of("exponential(1ms,5ms) http_status(429,5xx)");
  int attempts = 0;
  int const status = anew::retry(anew::strategy_view{*strategy}, [&] { return get_status(attempts); });
  // [/call]
  std::printf("%d after %d attempts\n", status, attempts);
}
