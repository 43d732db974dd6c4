// SPDX-License-Identifier: BSL-1.0
// section: Classifiers and exceptions / An exception that says nothing
// `retry_info_on` asks the thrown exception whether to retry. Let the exception answer, with a member function or
// `anew::retry_traits`. If every exception of the type may be retried, compose `anew::retry_on<E>`.
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
