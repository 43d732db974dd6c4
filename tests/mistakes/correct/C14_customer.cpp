// SPDX-License-Identifier: BSL-1.0
// prints: Ada, 3 orders after 3 calls
#include "given.hpp"

class customer {
 public:
  customer(std::string name, int orders) : name_{std::move(name)}, orders_{orders} {}
  [[nodiscard]] std::string const& name() const { return name_; }
  [[nodiscard]] int orders() const { return orders_; }

 private:
  std::string name_;
  int orders_;
};
customer load() { return fail_twice(), customer{"Ada", 3}; }
int main() {
  auto const c = anew::retry(usual{}, load, no_sleep);
  tell_all(c.name(), ", ", c.orders(), " orders");
}
