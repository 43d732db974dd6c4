// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A name that is nearly right
// The compiler prints `no_member_is_misspelled<log, names::on_retries, names::on_retry>`: the policy, the name that
// it has, the name that is called. A policy that has the right name too may have both. The lists of near names are in
// [members.hpp](/include/anew/concept/internal/members.hpp).
// expect-error: has a public function whose name is nearly right
// expect-error: on_retries
#include <cstdio>

#include "anew/anew.hpp"

struct log {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& event) const { std::printf("%u attempts\n", unsigned{event.attempts}); }
// [fix]
#ifdef ANEW_REJECT  // wrong
  void on_retries(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#else  // right
  void on_retry(anew::retry_event const& event) const { std::printf("attempt %u\n", unsigned{event.attempt}); }
#endif
  // [/fix]
};

int main() {
  anew::retry(anew::strategy<log>{}, [] {});
}
