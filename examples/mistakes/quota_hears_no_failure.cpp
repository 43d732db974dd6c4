// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A failure function that cannot be called
// The same applies to `on_attempt_failed`, `wait`, `settle`, `on_call`, `on_call_end` and `try_acquire` with the time.
// expect-error: requires a Quota's 'on_failure' to be 'void on_failure(permit_type) const'
#include <atomic>
#include <optional>

#include "anew/anew.hpp"

class at_most_ten {
 public:
  using role = anew::roles::quota;
  using permit_type = bool;  // false: nothing held
  std::optional<bool> try_acquire(anew::failure const& /*why*/) const {
    if (out_.fetch_add(1) < 10) return true;
    release(true);
    return std::nullopt;
  }
  void on_success(bool held) const { release(held); }
// [fix]
#ifdef ANEW_REJECT  // wrong
  void on_failure(bool held, anew::failure const& /*why*/) const { release(held); }
#else  // right
  void on_failure(bool held) const { release(held); }
#endif
  // [/fix]
  void release(bool held) const {
    if (held) out_.fetch_sub(1);
  }

 private:
  mutable std::atomic<int> out_{0};
};

int main() {
  static anew::strategy<at_most_ten> const strategy;
  anew::retry(strategy, [] {});
}
