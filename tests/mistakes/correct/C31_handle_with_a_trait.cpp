// SPDX-License-Identifier: BSL-1.0
// prints: 3 after 3 calls
#include "given.hpp"

namespace handle_with_a_trait {

struct handle {
  int number;
  explicit operator bool() const { return number != 0; }
};
handle open() { return {++calls < 3 ? -1 : 3}; }
}  // namespace handle_with_a_trait

template <>
struct anew::result_traits<handle_with_a_trait::handle> {
  static bool is_success(handle_with_a_trait::handle const& h) noexcept { return h.number >= 0; }
  static handle_with_a_trait::handle const& error(handle_with_a_trait::handle const& h) noexcept { return h; }
};

namespace handle_with_a_trait {

void run() { tell_all(anew::retry(thrice<anew::retry_all>{}, open, no_sleep).number); }

}  // namespace handle_with_a_trait

int main() {
  handle_with_a_trait::run();
  return 0;
}
