// SPDX-License-Identifier: BSL-1.0
// An error whose retry_after() returns a number.
// ours: requires an error whose retry_after() returns a duration
#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct busy {
  anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
  int retry_after() const { return 2; }
};

struct result {
  using value_type = int;
  using error_type = busy;
  bool has_value() const;
  int value() const;
  busy error() const;
  explicit operator bool() const;
};
result deliver();

int main() { return anew::retry(anew::strategy<>{}, deliver) ? 0 : 1; }
