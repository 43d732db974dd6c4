// SPDX-License-Identifier: BSL-1.0
// section: Composing a strategy / Not a policy
// A predicate is not a policy; `anew::retry_if<Predicate>` is a classifier that calls it.
// expect-error: anew::strategy<Policies...> requires every argument to be a policy; this one
#include <system_error>

#include "anew/anew.hpp"

struct is_refused {
  bool operator()(std::error_code const& error) const { return error == std::errc::connection_refused; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong
using polite = anew::strategy<is_refused>;
#else  // right
using polite = anew::strategy<anew::retry_if<is_refused>>;
#endif
// [/fix]

int main() {
  return anew::retry(polite{}, [] { return std::error_code{}; }).value();
}
