// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=unclassified
// prints: anew::retry_info_on<net_error>
// Meant: the trait of a thrown type is asked.
#include "given.hpp"

template <>
struct anew::retry_traits<net_error> {
  static anew::retry_safety is_retry_safe(net_error const&) { return anew::retry_safety::yes; }
};
void send() {
  ++calls;
  throw net_error{"x"};
}

int main() { print(anew::retry_outcome(anew::strategy<>{}, send, no_sleep)); }
