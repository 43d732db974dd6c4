// SPDX-License-Identifier: BSL-1.0
// prints: last id 42 after 3 calls
#include <cstdint>

#include "given.hpp"

std::int64_t insert() { return fail_twice(), 42; }
int main() { tell_all("last id ", anew::retry(usual{}, insert, no_sleep)); }
