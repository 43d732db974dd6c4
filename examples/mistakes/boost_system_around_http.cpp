// SPDX-License-Identifier: BSL-1.0
// Boost's codes are turned into those of the standard, and an HTTP status is none of these.
// expect-error: anew::boost_system::classifier<Inner> requires a classifier inside that reads std::error_code
#include "anew/anew.hpp"
#include "anew/boost_system.hpp"
#include "anew/classifier/http_status.hpp"

// [fix]
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::boost_system::classifier<anew::http_status_classifier<>>;
#else  // right
using on_failure = anew::boost_system::classifier<>;
#endif
// [/fix]

int main() {
  return anew::retry(anew::strategy<on_failure>{}, [] { return boost::system::error_code{}; }).value();
}
