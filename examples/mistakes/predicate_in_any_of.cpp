// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / Not a classifier
// Neither a predicate nor an exception type is a classifier. `anew::retry_if<Predicate>` calls a predicate, and
// `anew::retry_on<Exception>` names exceptions.
// expect-error: anew::any_of<Classifiers...> requires classifiers only
// expect-error: anew::retry_if<Predicate>
#include <system_error>

#include "anew/anew.hpp"
#include "anew/classifier/any_of.hpp"
#include "anew/classifier/error_code.hpp"

struct is_busy {
  bool operator()(std::error_code const& error) const { return error == std::errc::device_or_resource_busy; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::any_of<anew::error_code_classifier, is_busy>;
#else  // right
using on_failure = anew::any_of<anew::error_code_classifier, anew::retry_if<is_busy>>;
#endif
// [/fix]

int main() {
  return anew::retry(anew::strategy<on_failure>{}, [] { return std::error_code{}; }).value();
}
