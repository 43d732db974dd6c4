// SPDX-License-Identifier: BSL-1.0
// prints: sent after 3 calls
#include "given.hpp"

void send() {
  if (++calls < 3) throw speaking_error{"too late"};
}
int main() {
  anew::retry(anew::strategy<anew::no_backoff>{}, send, no_sleep);
  tell_all("sent");
}
