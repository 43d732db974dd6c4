// SPDX-License-Identifier: BSL-1.0
// prints: payload after 3 calls
#include "given.hpp"

std::string send(std::string const& body) { return fail_twice(), body; }
int main() {
  std::string const body = "payload";
  tell_all(anew::retry(usual{}, [&] { return send(body); }, no_sleep));
}
