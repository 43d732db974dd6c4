// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that is not there yet
// An optional that holds a future is not finished either: nothing has failed yet when the operation returns.
// expect-error: anew::retry(strategy, operation) requires a result that is there when the operation returns; this operation returns an awaitable
#include <future>
#include <optional>

#include "anew/anew.hpp"

std::optional<std::future<int>> begin() {
  return std::async(std::launch::deferred, [] { return 42; });
}

int main() {
  using patient = anew::strategy<anew::retry_all>;
// [fix]
#ifdef ANEW_REJECT  // wrong
  auto begun = anew::retry(patient{}, begin);
  return begun && begun->get() == 42 ? 0 : 1;
#else  // right
  auto const answer = anew::retry(patient{}, [] {
    auto begun = begin();
    return begun ? std::optional<int>{begun->get()} : std::nullopt;
  });
  return answer == 42 ? 0 : 1;
#endif
  // [/fix]
}
