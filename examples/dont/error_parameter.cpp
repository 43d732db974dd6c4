// SPDX-License-Identifier: BSL-1.0
// An error that is stored in a variable outside of the operation is not its result.
#include <system_error>

#include "given.hpp"

void receive(std::error_code& error) {
  error = ++requests < 3 ? make_error_code(std::errc::connection_refused) : std::error_code{};
}

using client = anew::strategy<anew::no_backoff, anew::retry_all>;

int main() {
  {
    // [dont]
    std::error_code error;
    auto const outcome = anew::retry_outcome(client{}, [&] { receive(error); });
    // [/dont]
    print("DON'T", outcome);
  }
  requests = 0;
  {
    // [do]
    auto const outcome = anew::retry_outcome(client{}, [] {
      std::error_code error;
      receive(error);
      return error;
    });
    // [/do]
    print("DO", outcome);
  }
}
