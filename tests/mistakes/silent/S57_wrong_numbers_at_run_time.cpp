// SPDX-License-Identifier: BSL-1.0
// prints: anew::exponential_backoff: cap must not be below base, but is 1s (base 5s)
// Meant: wrong numbers do not compile. Given as values they throw, here before main.
#include "given.hpp"

auto const strategy = anew::compose(anew::exponential_backoff{5s, 1s}, anew::retry_all{});

int main() { std::puts("main"); }
