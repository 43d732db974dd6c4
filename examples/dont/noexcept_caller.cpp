// SPDX-License-Identifier: BSL-1.0
// The last exception is the call's result, and so comes out of retry(). So do a refusal and the errors of an observer.
#include <cstdlib>
#include <exception>

#include "given.hpp"

void send() { throw net_error{"the line is dead"}; }

using client = anew::strategy<anew::no_backoff, anew::retry_on<net_error>>;

// [dont]
void notify_or_die() noexcept { anew::retry(client{}, send); }  // std::terminate() after three attempts
// [/dont]

// [do]
bool notify() noexcept {
  try {
    anew::retry(client{}, send);
    return true;
  } catch (std::exception const& e) {
    std::printf("DO    not sent: %s\n", e.what());
    return false;
  }
}
// [/do]

int main() {
  bool const is_sent = notify();
  std::set_terminate([] {
    std::printf("DON'T terminate\n");
    std::fflush(stdout);
    std::_Exit(0);
  });
  if (!is_sent) notify_or_die();
}
