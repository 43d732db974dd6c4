// SPDX-License-Identifier: BSL-1.0
// prints: page 1 after 3 calls
#include "given.hpp"

struct page {
  int number;
  static page error(std::string const&) { return {0}; }
};
page load() { return fail_twice(), page{1}; }
int main() { tell_all("page ", anew::retry(usual{}, load, no_sleep).number); }
