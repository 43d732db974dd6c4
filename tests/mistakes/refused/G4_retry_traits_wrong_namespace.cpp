// SPDX-License-Identifier: BSL-1.0
// retry_traits specialised in another namespace.
// ours: requires an error that says whether to retry
#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct busy {};

namespace mine {
template <class E>
struct retry_traits;
template <>
struct retry_traits<busy> {
  static anew::retry_safety is_retry_safe(busy const&) { return anew::retry_safety::yes; }
};
}  // namespace mine

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
