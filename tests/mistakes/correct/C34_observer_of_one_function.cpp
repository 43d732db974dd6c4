// SPDX-License-Identifier: BSL-1.0
// prints: 1 ending after 3 calls
#include "given.hpp"

namespace observer_of_one_function {

int endings = 0;
struct counts_endings {
  using role = anew::roles::observer;
  void on_end(anew::end_event const&) const { ++endings; }
};
void run() {
  anew::retry(thrice<anew::retry_on<net_error>, counts_endings>{}, fail_twice, no_sleep);
  std::printf("%d ending", endings);
  print_calls();
}

}  // namespace observer_of_one_function

int main() {
  observer_of_one_function::run();
  return 0;
}
