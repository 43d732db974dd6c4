// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A permit that holds nothing
// The permit `{}` means that nothing is held, and an empty class has no other value: `release` would never be called, and
// the quota would be spent for good after a few cancelled retries. Let the permit say what it holds.
// expect-error: requires a Quota policy whose permit_type says what a retry holds
#include <atomic>
#include <optional>

#include "anew/anew.hpp"

class at_once {
 public:
  using role = anew::roles::quota;
// [fix]
#ifdef ANEW_REJECT  // wrong
  struct permit_type {
    explicit permit_type(bool = false) {}
    bool operator==(permit_type const&) const = default;
  };
#else  // right
  using permit_type = bool;  // false: nothing
#endif
  // [/fix]
  std::optional<permit_type> try_acquire(anew::failure const& /*what*/) const {
    return taken_.exchange(true) ? std::nullopt : std::optional{permit_type{true}};
  }
  void on_success(permit_type held) const { give_back(held); }
  void on_failure(permit_type held) const { give_back(held); }
  void release(permit_type held) const { give_back(held); }

 private:
  void give_back(permit_type held) const {
    if (held != permit_type{}) taken_ = false;
  }
  mutable std::atomic<bool> taken_ = false;
};

int main() {
  anew::strategy<at_once> const one_retry_at_a_time{};
  anew::retry(one_retry_at_a_time, [] {});
}
