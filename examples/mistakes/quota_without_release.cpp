// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Quota policy
// `release` takes back what was charged for a retry that was never made: the sleep was cancelled, or the deadline
// refused it.
// expect-error: Quota policy
// expect-error: release(permit_type) const
#include <atomic>
#include <optional>

#include "anew/anew.hpp"

class at_once {
 public:
  using role = anew::roles::quota;
  using permit_type = bool;
  std::optional<bool> try_acquire(anew::failure const& /*what*/) const {
    return taken_.exchange(true) ? std::nullopt : std::optional{true};
  }
  void on_success(bool held) const { give_back(held); }
  void on_failure(bool held) const { give_back(held); }
// [fix]
#ifdef ANEW_REJECT  // wrong
  void cancel(bool held) const { give_back(held); }
#else  // right
  void release(bool held) const { give_back(held); }
#endif
  // [/fix]

 private:
  void give_back(bool held) const {
    if (held) taken_ = false;
  }
  mutable std::atomic<bool> taken_ = false;
};

int main() {
  anew::strategy<at_once> const one_retry_at_a_time{};
  anew::retry(one_retry_at_a_time, [] {});
}
