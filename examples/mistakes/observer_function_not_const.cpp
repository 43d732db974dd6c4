// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A function of an observer that is not const
// The same for `on_attempt` and `on_end`. The functions of an observer are optional, and one that cannot be called
// would count as absent. If your class has functions of these names under constraints, as a wrapper has, or means
// something else by a name, declare `static constexpr bool forwards_members = true`: then nothing is asked of its
// members.
// expect-error: requires 'void on_retry(anew::retry_event const&) const' of this Observer
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
