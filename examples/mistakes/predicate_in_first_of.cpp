// SPDX-License-Identifier: BSL-1.0
// A predicate is a rule, but it is a classifier that asks it.
// expect-error: anew::any_of<Classifiers...> and anew::first_of<Classifiers...> require classifiers only
// expect-error: anew::retry_if<Predicate>
#include <system_error>

#include "anew/anew.hpp"
#include "anew/classifier/error_code.hpp"
#include "anew/classifier/first_of.hpp"

struct is_busy {
  bool operator()(std::error_code const& error) const { return error == std::errc::device_or_resource_busy; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::first_of<anew::error_code_classifier, is_busy>;
#else  // right
using on_failure = anew::first_of<anew::error_code_classifier, anew::retry_if<is_busy>>;
#endif
// [/fix]

int main() {
  return anew::retry(anew::strategy<on_failure>{}, [] { return std::error_code{}; }).value();
}
