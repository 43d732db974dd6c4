// SPDX-License-Identifier: BSL-1.0
// chapter: Bridges

#include "anew/anew.hpp"
#include "anew/boost_system.hpp"
#include "anew/policies/classifier/http_status.hpp"

// section: Boost's codes for a classifier of something else
// `anew::boost_system::classifier` converts `boost::system::error_code` to `std::error_code` and asks the inner
// classifier, which must read that. For HTTP statuses over Boost.Beast use `anew::beast::classifier<>`.
// expect-error: anew::boost_system::classifier<Inner> requires an inner classifier that reads std::error_code
namespace boost_system_around_http {
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::boost_system::classifier<anew::http_status_classifier<>>;
#else  // right
using on_failure = anew::boost_system::classifier<>;
#endif

int run() {
  return anew::retry(anew::strategy<on_failure>{}, [] { return boost::system::error_code{}; }).value();
}
}  // namespace boost_system_around_http
