// SPDX-License-Identifier: BSL-1.0
#include "cases.hpp"

// The calls alone: what nobody can go below.
cases::answer bare_value() { return cases::ask(); }
cases::answer bare_noexcept() { return cases::ask_quietly(); }
cases::answer bare_full_bucket() { return cases::ask(); }
cases::answer bare_value_or_exception() { return cases::ask(); }
cases::answer bare_attempt_number() { return cases::ask_nth(1); }
cases::answer bare_attempt_reference() {
  anew::attempt self{anew::attempt::parts{}};
  return cases::ask_about(self);
}
cases::answer bare_observer_of_retry() { return cases::ask(); }
cases::answer bare_observer_of_end() {
  auto const result = cases::ask();
  cases::tell_end(1);
  return result;
}
cases::text bare_expected() { return cases::ask_for_text(); }
cases::reading bare_expected_in_place() { return cases::ask_for_reading(); }
int bare_exceptions() { return cases::ask_or_throw(); }
