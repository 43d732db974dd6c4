// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / Not a classifier
// A predicate is not a classifier; `anew::retry_if<Predicate>` calls one.
// expect-error: anew::not_<C> requires a classifier
#include <system_error>

#include "anew/anew.hpp"
#include "anew/classifier/not.hpp"

struct is_busy {
  bool operator()(std::error_code const& error) const { return error == std::errc::device_or_resource_busy; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::not_<is_busy>;
#else  // right
using on_failure = anew::not_<anew::retry_if<is_busy>>;
#endif
// [/fix]

int main() {
  return anew::retry(anew::strategy<on_failure>{}, [] { return std::error_code{}; }).value();
}
