// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=not_retryable
// prints: derives from std::logic_error
// Meant: retry_all retries an error of one's own, whatever its base.
#include "given.hpp"

struct net_down : std::logic_error {
  using logic_error::logic_error;
};
void send() { throws(net_down{"x"}); }

int main() { print(anew::retry_outcome(thrice<anew::retry_all>{}, send, no_sleep)); }
