// SPDX-License-Identifier: BSL-1.0
// Meant: status::failed is an error.
#include "given.hpp"

enum class status { fine, failed };
status send() { return ++calls, status::failed; }

int main() { print(anew::retry_outcome(thrice<anew::retry_all>{}, send, no_sleep)); }
