// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=unclassified
// Meant: the exception derives from anew::retry_info. The base of a class is private unless it says otherwise.
#include "given.hpp"

class busy : public std::runtime_error, anew::retry_info {
 public:
  using runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};
void send() { throws(busy{"x"}); }

int main() { print(anew::retry_outcome(anew::strategy<>{}, send, no_sleep)); }
