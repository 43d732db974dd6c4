// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Gate policy
// `release` frees the place of an attempt that was never made, or whose result is unknown.
// expect-error: Gate policy
// expect-error: release(pass_type) const
#include <atomic>

#include "anew/anew.hpp"

class one_at_a_time {
 public:
  using role = anew::roles::gate;
  using pass_type = bool;
  anew::admission<bool> try_enter(anew::time_point /*now*/) const {
    return taken_.exchange(true) ? anew::admission<bool>::refuse() : anew::admission<bool>::admit(true);
  }
  void on_success(bool held, anew::time_point /*now*/) const { give_back(held); }
  void on_failure(bool held, anew::failure const& /*what*/, anew::time_point /*now*/) const { give_back(held); }
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
  anew::strategy<one_at_a_time> const guarded{};
  anew::retry(guarded, [] {});
}
