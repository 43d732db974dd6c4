// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that is not there yet
// A callable that is returned has not been called: nothing has failed yet.
// expect-error: requires a result that is there when the operation returns
// expect-error: Call it in the operation
#include <functional>
#include <stdexcept>

#include "anew/anew.hpp"

std::function<int()> request() {
  return [] { return 42; };
}

int main() {
  using patient = anew::strategy<anew::retry_on<std::runtime_error>>;
// [fix]
#ifdef ANEW_REJECT  // wrong
  return anew::retry(patient{}, request)() == 42 ? 0 : 1;
#else  // right
  return anew::retry(patient{}, [] { return request()(); }) == 42 ? 0 : 1;
#endif
  // [/fix]
}
