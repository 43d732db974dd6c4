// SPDX-License-Identifier: BSL-1.0
// prints: 1 ending after 3 calls
#include "given.hpp"

int endings = 0;
struct counts_endings {
  using role = anew::roles::observer;
  void on_end(anew::end_event const&) const { ++endings; }
};
int main() {
  anew::retry(thrice<anew::retry_on<net_error>, counts_endings>{}, fail_twice, no_sleep);
  tell_all(endings, " ending");
}
