// SPDX-License-Identifier: BSL-1.0
// prints: -5 degrees after 3 calls
#include "given.hpp"

int measure() { return fail_twice(), -5; }
int main() { tell_all(anew::retry(usual{}, measure, no_sleep), " degrees"); }
