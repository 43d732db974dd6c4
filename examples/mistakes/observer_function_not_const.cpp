// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A function of an observer that is not const
// The same applies to `on_attempt` and `on_end`. The functions of an observer are optional, so one that cannot be
// called would be ignored. If your class has constrained functions of these names, as a wrapper does, or uses a name
// for something else, declare `static constexpr bool forwards_members = true`: then its members are not checked.
// expect-error: requires an Observer's 'on_retry' to be 'void on_retry(anew::retry_event const&) const'
#include <atomic>

#include "anew/anew.hpp"

static std::atomic<unsigned> retries{0};

struct metrics {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& /*event*/) const {}
// [fix]
#ifdef ANEW_REJECT  // wrong
  void on_retry(anew::retry_event const& /*event*/) { ++retries; }
#else  // right
  void on_retry(anew::retry_event const& /*event*/) const { ++retries; }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<metrics>{}, [] {});
}
