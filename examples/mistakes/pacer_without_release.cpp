// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / Pacer policy
// `release` gives back the turn of an attempt that waited and will not be made.
// expect-error: Pacer policy
// expect-error: release(ticket_type) const
#include <atomic>

#include "anew/anew.hpp"

class ten_at_a_time {
 public:
  using role = anew::roles::pacer;
  using ticket_type = int;
  anew::pace ask(int& ticket, anew::time_point /*now*/) const {
    if (ticket == 0) ticket = ++queued_;
    if (ticket > 10) return {.wait = std::chrono::milliseconds{10}};
    give_back(ticket);
    return {};
  }
  void on_success(anew::time_point /*now*/) const {}
  void on_failure(anew::failure const& /*what*/, anew::time_point /*now*/) const {}
// [fix]
#ifdef ANEW_REJECT  // wrong
  void cancel(int ticket) const { give_back(ticket); }
#else  // right
  void release(int ticket) const { give_back(ticket); }
#endif
  // [/fix]

 private:
  void give_back(int& ticket) const {
    --queued_;
    ticket = 0;
  }
  mutable std::atomic<int> queued_ = 0;
};

int main() {
  anew::strategy<ten_at_a_time> const paced{};
  anew::retry(paced, [] {});
}
