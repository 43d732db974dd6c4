// SPDX-License-Identifier: BSL-1.0
// Nothing interrupts a blocking operation: it asks its attempt how long it may take.
// expect-error: requires an operation that takes its attempt
#include "anew/anew.hpp"
#include "anew/policies.hpp"

using namespace std::chrono_literals;

using limited = anew::strategy<anew::attempt_timeout<200ms>, anew::retry_all>;

struct request {
  anew::duration timeout{1s};
  bool send() const { return timeout > anew::duration::zero(); }
};

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong: the limit is composed, and nobody hears of it
  return anew::retry(limited{}, [] { return request{}.send(); }) ? 0 : 1;
#else  // right
  return anew::retry(limited{}, [](anew::attempt& self) { return request{self.limit()}.send(); }) ? 0 : 1;
#endif
  // [/fix]
}
