// SPDX-License-Identifier: BSL-1.0
// section: Loops of your own / An error by steps that the classifier does not read
// `retry_on<E>` reads exceptions. For an error value compose a classifier that reads values of its type.
// expect-error: call.on_error(error) requires a classifier that reads this type
#include <stdexcept>

#include "anew/anew.hpp"
#include "anew/drive/retry_machine.hpp"

// [fix]
struct is_busy {
  bool operator()(int status) const { return status == 503; }
};
#ifdef ANEW_REJECT  // wrong
using policy = anew::strategy<anew::retry_on<std::runtime_error>>;
#else  // right
using policy = anew::strategy<anew::retry_if<is_busy>>;
#endif
// [/fix]

int main() {
  policy const strategy{};
  anew::retry_machine call{strategy};
  auto next = call.begin();
  next = call.on_error(404);
  return next == anew::next_step::finished ? 0 : 1;
}
