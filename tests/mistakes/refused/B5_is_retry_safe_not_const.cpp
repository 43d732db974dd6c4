// SPDX-License-Identifier: BSL-1.0
// An error whose is_retry_safe() is not const.
// ours: requires an error that says whether to retry
#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct busy {
  anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
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
