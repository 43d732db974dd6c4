// SPDX-License-Identifier: BSL-1.0
// Compiled as C++17.
#include "anew/anew.hpp"

int main() { return anew::retry(anew::strategy<>{}, [] { return 0; }); }
