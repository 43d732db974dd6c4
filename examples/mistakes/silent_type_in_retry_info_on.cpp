// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / An exception that says nothing
// `retry_info_on` believes what a thrown type says of itself. Let it say so, by a function or by
// `anew::retry_traits`. For a type whose errors may all be retried, `anew::retry_on<E>` needs no word of it.
// expect-error: anew::retry_info_on<Exceptions...> requires exceptions that say whether to retry
// expect-error: this type does not
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
