// SPDX-License-Identifier: BSL-1.0
// prints: 7 after 3 calls
#include "given.hpp"

std::optional<int> find() { return ++calls == 3 ? std::optional{7} : std::nullopt; }
int main() { tell_all(anew::retry(thrice<anew::retry_all>{}, find, no_sleep).value()); }
