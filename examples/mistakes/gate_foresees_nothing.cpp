// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A function of a gate that cannot be called
// The same applies to `try_enter` with the time of the first question or with random numbers, and to `on_failure` with random numbers.
// expect-error: requires a Gate's 'would_refuse' to be 'bool would_refuse(anew::time_point then) const'
#include <chrono>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct maintenance {
  using role = anew::roles::gate;
  using pass_type = bool;  // false: nothing held
  anew::admission<bool> try_enter(anew::time_point now) const {
    return now < begins ? anew::admission<bool>::admit(true) : anew::admission<bool>::refuse();
  }
  void on_success(bool /*pass*/, anew::time_point /*now*/) const {}
  void on_failure(bool /*pass*/, anew::failure const& /*why*/, anew::time_point /*now*/) const {}
  void release(bool /*pass*/) const {}
// [fix]
#ifdef ANEW_REJECT  // wrong
  bool would_refuse(anew::duration until) const { return anew::time_point{until} >= begins; }
#else  // right
  bool would_refuse(anew::time_point then) const { return then >= begins; }
#endif
  // [/fix]
  anew::time_point begins = anew::time_point::max();
};

int main() {
  anew::retry(anew::strategy<maintenance>{}, [] {});
}
