// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / A result by steps that may mean a failure
// A machine reads a result as `retry()` does.
// expect-error: call.on_outcome(result) requires a result whose failures it can tell
// expect-error: telling::status
#include "anew/anew.hpp"
#include "anew/drive/retry_machine.hpp"

struct response {
  unsigned status = 200;
};
struct is_server_error {
  bool operator()(response const& r) const { return r.status >= 500; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong: a 503 would be a success
using patient = anew::strategy<anew::retry_all>;
#else  // right
using patient = anew::strategy<anew::retry_while<is_server_error>>;
#endif
// [/fix]

int main() {
  patient const strategy;
  anew::retry_machine call{strategy};
  auto next = call.begin();
  next = call.on_outcome(response{});
  return next == anew::next_step::finished ? 0 : 1;
}
