// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / No way to fail
// This call would never retry. Name the exceptions after the predicate, or with `anew::retry_on`. A predicate on the
// value is possible too: `retry_if<Predicate>` retries the values for which it is true. Without exceptions
// (`-fno-exceptions`) return a type that carries an error.
// expect-error: anew::retry(strategy, operation) requires a way to fail; the operation returns a plain value, so it can only fail by an exception
// expect-error: Compose anew::retry_on<E>
#include <system_error>

#include "anew/anew.hpp"

struct is_timeout {
  bool operator()(std::errc error) const { return error == std::errc::timed_out; }
  bool operator()(std::system_error const& error) const { return error.code() == std::errc::timed_out; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_timeout = anew::strategy<anew::retry_if<is_timeout>>;
#else  // right
using on_timeout = anew::strategy<anew::retry_if<is_timeout, std::system_error>>;
#endif
// [/fix]

struct answer {
  int value = 0;
};

int main() {
  return anew::retry(on_timeout{}, [] { return answer{}; }).value;
}
