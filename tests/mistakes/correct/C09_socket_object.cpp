// SPDX-License-Identifier: BSL-1.0
// prints: descriptor 5 after 3 calls
#include "given.hpp"

class socket {
 public:
  explicit socket(int fd) : fd_{fd} {}
  socket(socket&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  socket& operator=(socket&&) = delete;
  ~socket() = default;
  [[nodiscard]] int native_handle() const { return fd_; }

 private:
  int fd_;
};
socket connect() { return fail_twice(), socket{5}; }
int main() { tell_all("descriptor ", anew::retry(usual{}, connect, no_sleep).native_handle()); }
