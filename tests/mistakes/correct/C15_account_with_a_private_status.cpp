// SPDX-License-Identifier: BSL-1.0
// prints: 12 EUR after 3 calls
#include "given.hpp"

namespace account_with_a_private_status {

class account {
 public:
  explicit account(int balance) : balance_{balance} {}
  std::string code = "EUR";  // of its currency
  [[nodiscard]] int balance() const { return status == 0 ? balance_ : 0; }

 private:
  int status = 0;
  int balance_;
};
account load() {
  fail_twice();
  return account{12};
}
void run() {
  auto const a = anew::retry(usual{}, load, no_sleep);
  std::printf("%d %s", a.balance(), a.code.c_str());
  print_calls();
}

}  // namespace account_with_a_private_status

int main() {
  account_with_a_private_status::run();
  return 0;
}
