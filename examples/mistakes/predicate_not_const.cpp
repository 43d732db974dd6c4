// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A classifier that cannot read the error
// Many calls and threads share a predicate, so it is called through const.
// expect-error: anew::retry(strategy, operation) requires a classifier that reads the operation's errors
// expect-error: as a const function
#include <system_error>

#include "anew/anew.hpp"

struct is_refused {
// [fix]
#ifdef ANEW_REJECT  // wrong
  bool operator()(std::error_code const& error) { return error == std::errc::connection_refused; }
#else  // right
  bool operator()(std::error_code const& error) const { return error == std::errc::connection_refused; }
#endif
  // [/fix]
};

int main() {
  anew::strategy<anew::retry_if<is_refused>> const when_refused{};
  return anew::retry(when_refused, [] { return std::error_code{}; }).value();
}
