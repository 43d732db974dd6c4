// SPDX-License-Identifier: BSL-1.0
// prints: sent after 3 calls
#include "given.hpp"

void send() { fail_twice(); }
int main() {
  anew::retry(usual{}, send, no_sleep);
  tell_all("sent");
}
