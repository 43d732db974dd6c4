// SPDX-License-Identifier: BSL-1.0
// A plain result, and exceptions are switched off.
#include "anew/anew.hpp"

int main() { return anew::retry(anew::strategy<>{}, [] { return 0; }); }
