// SPDX-License-Identifier: BSL-1.0
// Meant: the error that the operation stores outside of itself is seen.
#include "given.hpp"

void receive(std::error_code& error) {
  ++calls;
  error = make_error_code(std::errc::timed_out);
}

int main() {
  std::error_code error;
  print(anew::retry_outcome(thrice<anew::retry_all>{}, [&] { receive(error); }, no_sleep));
}
