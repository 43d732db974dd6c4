// SPDX-License-Identifier: BSL-1.0
// A number that means an error is a number.
#include "given.hpp"

// As in POSIX: how many bytes were sent, or -1.
int send_bytes() { return ++requests < 3 ? -1 : 4096; }

using client = anew::strategy<anew::no_backoff, anew::retry_on<net_error>>;

int main() {
  {
    // [dont]
    // The strategy was told that failures are exceptions, so -1 is a result like 4096.
    auto const outcome = anew::retry_outcome(client{}, send_bytes);
    // [/dont]
    print("DON'T", outcome);
  }
  requests = 0;
  {
    // [do]
    auto const outcome = anew::retry_outcome(client{}, [] {
      int const sent = send_bytes();
      if (sent == -1) throw net_error{"cannot send"};
      return sent;
    });
    // [/do]
    print("DO", outcome);
  }
}
