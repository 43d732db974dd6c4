// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / An attempt timeout that the operation ignores
// On Asio an attempt timeout cancels the attempt. A blocking operation must ask for the limit and pass it on, as the
// timeout of its socket or its request.
// expect-error: requires an operation that takes its attempt when an attempt timeout is composed
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
#ifdef ANEW_REJECT  // wrong: no operation is told the composed limit
  return anew::retry(limited{}, [] { return request{}.send(); }) ? 0 : 1;
#else  // right
  return anew::retry(limited{}, [](anew::attempt& self) { return request{self.limit()}.send(); }) ? 0 : 1;
#endif
  // [/fix]
}
