// SPDX-License-Identifier: BSL-1.0
// A strategy calls its observer through const; a function that is not const would never be called, and its metrics stay zero.
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
