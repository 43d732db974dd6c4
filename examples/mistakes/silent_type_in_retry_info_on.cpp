// SPDX-License-Identifier: BSL-1.0
// What is listed must say whether to retry.
// expect-error: anew::retry_info_on<Exceptions...> requires exceptions that say whether to retry
// expect-error: this type says nothing
#include <stdexcept>

#include "anew/anew.hpp"
#include "anew/policies.hpp"

// [fix]
struct busy : std::runtime_error {
  using std::runtime_error::runtime_error;
#ifdef ANEW_REJECT  // wrong
  [[nodiscard]] static bool is_transient() { return true; }
#else  // right
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
#endif
};
// [/fix]

int main() {
  int calls = 0;
  anew::retry(anew::strategy<anew::retry_info_on<busy>, anew::no_backoff>{}, [&] {
    if (++calls == 1) throw busy{"busy"};
  });
}
