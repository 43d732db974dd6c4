// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / Not a policy in `with<>`
// A predicate is not a policy; `anew::retry_if<Predicate>` is a classifier that calls it.
// expect-error: anew::with<Strategy, Policies...> requires every argument after the first to be a policy
#include <system_error>

#include "anew/anew.hpp"

struct is_refused {
  bool operator()(std::error_code const& error) const { return error == std::errc::connection_refused; }
};
using polite = anew::strategy<anew::max_attempts<8>>;
// [fix]
#ifdef ANEW_REJECT  // wrong
using patient = anew::with<polite, is_refused>;
#else  // right
using patient = anew::with<polite, anew::retry_if<is_refused>>;
#endif
// [/fix]

int main() {
  return anew::retry(patient{}, [] { return std::error_code{}; }).value();
}
