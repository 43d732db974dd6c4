// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that may mean a failure
// A member named status, code, ok or error tells of failure: a 503 would come back as a success.
// expect-error: anew::retry(strategy, operation) requires a result whose failures it can tell; this class
// expect-error: has a member that may tell of failure
// expect-error: telling::status
#include <stdexcept>
#include <string>

#include "anew/anew.hpp"
#include "anew/policies.hpp"

struct response {
  unsigned status = 200;
  std::string body;
};

response get() { return {}; }

struct is_server_error {
  bool operator()(response const& r) const { return r.status >= 500; }
};

// [fix]
#ifdef ANEW_REJECT  // wrong: exceptions alone are read
using patient = anew::strategy<anew::retry_on<std::runtime_error>>;
#else  // right: the status is read, too
using patient = anew::strategy<anew::any_of<anew::retry_on<std::runtime_error>, anew::retry_while<is_server_error>>>;
#endif
// [/fix]

int main() { return anew::retry(patient{}, get).status == 200 ? 0 : 1; }
