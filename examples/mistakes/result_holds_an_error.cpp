// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / A result that may mean a failure
// A variant of a value and an error is not `std::expected`: its type does not say which alternative is the failure.
// expect-error: requires a result whose failures it can tell
// expect-error: holds an error or a bool that nothing reads
#include <string>
#include <system_error>
#include <variant>

#include "anew/anew.hpp"

using reply = std::variant<std::string, std::error_code>;

reply ask() { return "welcome"; }

struct is_error {
  bool operator()(reply const& r) const { return std::holds_alternative<std::error_code>(r); }
};

// [fix]
#ifdef ANEW_REJECT  // wrong: an error code would be a success
using patient = anew::strategy<anew::retry_all>;
#else  // right
using patient = anew::strategy<anew::retry_while<is_error>>;
#endif
// [/fix]

int main() { return static_cast<int>(anew::retry(patient{}, ask).index()); }
