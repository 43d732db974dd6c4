// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_LISTENING_HPP
#define ANEW_TESTS_SUPPORT_LISTENING_HPP

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "pinned.hpp"

namespace support {

/// A socket that listens on 127.0.0.1, at a port that the kernel chose. Throws std::system_error where it cannot.
class listening : public pinned {
 public:
  explicit listening(int backlog = SOMAXCONN) : file{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    at_.sin_family = AF_INET;
    at_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at_;
    if (file < 0 || ::bind(file, address(), size) != 0 || ::listen(file, backlog) != 0 ||
        ::getsockname(file, address(), &size) != 0) {
      throw std::system_error{errno, std::generic_category(), "listening"};
    }
  }
  ~listening() { ::close(file); }

  [[nodiscard]] std::uint16_t port() const noexcept { return ntohs(at_.sin_port); }
  [[nodiscard]] sockaddr* address() noexcept { return static_cast<sockaddr*>(static_cast<void*>(&at_)); }

  int const file;

 private:
  sockaddr_in at_{};
};

}  // namespace support

#endif
