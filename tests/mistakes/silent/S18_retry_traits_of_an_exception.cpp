// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=unclassified
// prints: anew::retry_info_on<busy_error>
// Meant: the trait of a thrown type is asked.
#include "given.hpp"

struct busy_error : std::runtime_error {
  using runtime_error::runtime_error;
};
template <>
struct anew::retry_traits<busy_error> {
  static anew::retry_safety is_retry_safe(busy_error const&) { return anew::retry_safety::yes; }
};

namespace retry_traits_of_an_exception {

void send() { throws(busy_error{"x"}); }

}  // namespace retry_traits_of_an_exception

int main() { print(anew::retry_outcome(anew::strategy<>{}, retry_traits_of_an_exception::send, no_sleep)); }
