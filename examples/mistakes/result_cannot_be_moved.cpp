// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that cannot be moved
// A result moves from the attempt to the caller. Return a movable value, or a pointer to one that is not.
// expect-error: anew::retry(strategy, operation) requires a result that can be moved
// expect-error: Return a value
#include <memory>
#include <mutex>

#include "anew/anew.hpp"

struct session {
  std::mutex guard;
  int id = 1;
};

template <>
struct anew::result_traits<std::unique_ptr<session>> : anew::plain_result {};

int main() {
  using patient = anew::strategy<anew::retry_all>;
// [fix]
#ifdef ANEW_REJECT  // wrong
  return anew::retry(patient{}, [] { return session{}; }).id == 1 ? 0 : 1;
#else  // right
  return anew::retry(patient{}, [] { return std::make_unique<session>(); })->id == 1 ? 0 : 1;
#endif
  // [/fix]
}
