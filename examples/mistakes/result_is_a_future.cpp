// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that is not there yet
// The operation has only started its work when it returns, so it never fails, and the call would end after one
// attempt as a success. Wait for the result inside the operation, or use a `retry` that waits: `anew/coroutine.hpp`
// awaits any library's awaitables, and `anew/asio.hpp` takes Asio's operations.
// expect-error: requires a result that is there when the operation returns
// expect-error: or return future.get()
#include <future>
#include <stdexcept>

#include "anew/anew.hpp"

std::future<int> ask() {
  return std::async(std::launch::deferred, [] { return 42; });
}

int main() {
  using patient = anew::strategy<anew::retry_on<std::runtime_error>>;
// [fix]
#ifdef ANEW_REJECT  // wrong
  return anew::retry(patient{}, ask).get() == 42 ? 0 : 1;
#else  // right
  return anew::retry(patient{}, [] { return ask().get(); }) == 42 ? 0 : 1;
#endif
  // [/fix]
}
