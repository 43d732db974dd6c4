// SPDX-License-Identifier: BSL-1.0
// The default classifier over an optional.
// ours: requires an error that says whether to retry
#include <optional>

#include "anew/anew.hpp"

std::optional<int> find();

int main() { return anew::retry(anew::strategy<>{}, find) ? 0 : 1; }
