// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / Not a stop token
// `std::stop_token` is a stop token, and so is any type with these two functions.
// expect-error: anew::retry(strategy, operation, sleeper, stop) requires a stop token last
// expect-error: Did you swap the last two?
#include <atomic>

#include "anew/anew.hpp"
#include "anew/sleeper/spinning.hpp"

struct shutdown {  // std::stop_token is one too
  std::atomic<bool> const* wanted;
  bool stop_requested() const { return *wanted; }
  static bool stop_possible() { return true; }
};

int main() {
  std::atomic<bool> wanted{false};
  anew::spinning_sleeper sleeper;
  shutdown const stop{&wanted};
// [fix]
#ifdef ANEW_REJECT  // wrong
  anew::retry(anew::strategy<>{}, [] {}, stop, sleeper);
#else  // right
  anew::retry(anew::strategy<>{}, [] {}, sleeper, stop);
#endif
  // [/fix]
}
