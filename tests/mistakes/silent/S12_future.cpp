// SPDX-License-Identifier: BSL-1.0
// Meant: what the future throws is retried.
#include <future>

#include "given.hpp"

std::future<int> get() {
  return std::async(std::launch::deferred, []() -> int { throw net_error{"x"}; });
}

int main() { print(anew::retry_outcome(thrice<anew::retry_all>{}, get, no_sleep)); }
