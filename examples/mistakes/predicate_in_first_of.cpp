// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / Not a classifier
// A predicate is not a classifier; `anew::retry_if<Predicate>` calls one.
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
using on_failure = anew::first_of<is_busy, anew::error_code_classifier>;
#else  // right
using on_failure = anew::first_of<anew::retry_if<is_busy>, anew::error_code_classifier>;
#endif
// [/fix]

int main() {
  return anew::retry(anew::strategy<on_failure>{}, [] { return std::error_code{}; }).value();
}
