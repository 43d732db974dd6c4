// SPDX-License-Identifier: BSL-1.0
// prints: 12 EUR after 3 calls
#include "given.hpp"

class account {
 public:
  explicit account(int balance) : balance_{balance} {}
  std::string code = "EUR";  // of its currency
  [[nodiscard]] int balance() const { return status == 0 ? balance_ : 0; }

 private:
  int status = 0;
  int balance_;
};
account load() { return fail_twice(), account{12}; }
int main() {
  auto const a = anew::retry(usual{}, load, no_sleep);
  tell_all(a.balance(), " ", a.code);
}
