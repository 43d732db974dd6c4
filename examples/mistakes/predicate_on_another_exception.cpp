// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / A predicate that does not take the exception
// `retry_if<Predicate, Exceptions...>` calls the predicate with each of the types. A type that it cannot take would
// be caught but never retried.
// expect-error: requires a classifier to answer for every exception type that it catches
#include <stdexcept>
#include <system_error>

#include "anew/anew.hpp"

struct is_refused {
  bool operator()(std::system_error const& error) const { return error.code() == std::errc::connection_refused; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong
using when_refused = anew::retry_if<is_refused, std::runtime_error>;
#else  // right
using when_refused = anew::retry_if<is_refused, std::system_error>;
#endif
// [/fix]

int main() {
  anew::retry(anew::strategy<when_refused>{}, [] {});
}
