// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_REDIS_INTERNAL_SOCKET_HPP
#define ANEW_REDIS_INTERNAL_SOCKET_HPP

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/redis/internal/link.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A stream socket of which no function waits. The name is resolved by the constructor, which may take long; after that
/// nothing asks a resolver.
class redis_socket {
 public:
  redis_socket(std::string const& host, std::uint16_t port) : addresses_{addresses_of(host, port)} {}
  redis_socket(redis_socket&& other) noexcept
      : addresses_{std::move(other.addresses_)}, next_{other.next_}, file_{std::exchange(other.file_, -1)} {}
  redis_socket& operator=(redis_socket&&) = delete;
  redis_socket(redis_socket const&) = delete;
  redis_socket& operator=(redis_socket const&) = delete;
  ~redis_socket() { close(); }

  /// Another one to the same addresses.
  [[nodiscard]] redis_socket again() const { return redis_socket{addresses_}; }

  /// Begins a connection to the next of the addresses.
  [[nodiscard]] bool connect() noexcept {
    auto const& to = addresses_[next_++ % addresses_.size()];
    file_ = ::socket(to.where.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (file_ < 0) return false;
    if (to.where.ss_family != AF_UNIX) {
      int const on = 1;
      static_cast<void>(::setsockopt(file_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
    }
    auto const* const where = reinterpret_cast<sockaddr const*>(&to.where);
    return ::connect(file_, where, to.size) == 0 || errno == EINPROGRESS || errno == EINTR;
  }
  [[nodiscard]] connecting progress() noexcept {
    pollfd looked{file_, POLLOUT, 0};
    int const found = ::poll(&looked, 1, 0);
    if (found == 0 || (found < 0 && errno == EINTR)) return connecting::pending;
    int error = 0;
    socklen_t size = sizeof error;
    if (found < 0 || ::getsockopt(file_, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
      return connecting::failed;
    }
    return connecting::done;
  }
  /// The number of bytes; 0: it would block; below: the connection is over.
  [[nodiscard]] std::ptrdiff_t send(char const* bytes, std::size_t size) noexcept {
    return moved(::send(file_, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL), false);
  }
  [[nodiscard]] std::ptrdiff_t receive(char* bytes, std::size_t size) noexcept {
    return moved(::recv(file_, bytes, size, MSG_DONTWAIT), true);
  }
  void close() noexcept {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
  }

 private:
  struct address {
    sockaddr_storage where;
    socklen_t size;
  };

  explicit redis_socket(std::vector<address> addresses) : addresses_{std::move(addresses)} {}

  static std::ptrdiff_t moved(std::ptrdiff_t size, bool zero_is_end) noexcept {
    if (size > 0 || (size == 0 && !zero_is_end)) return size;
    if (size == 0) return -1;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
  }

  static std::vector<address> addresses_of(std::string const& host, std::uint16_t port) {
    if (!host.empty() && host.front() == '/') return {path_of(host)};
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    int const error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (error != 0) {
      detail::invalid_argument("redis_bucket", "host must be a name that can be resolved, an address or a path",
                               host + " (" + ::gai_strerror(error) + ")");
    }
    std::vector<address> all;
    for (auto const* one = found; one != nullptr; one = one->ai_next) {
      address each{};
      std::memcpy(&each.where, one->ai_addr, one->ai_addrlen);
      each.size = one->ai_addrlen;
      all.push_back(each);
    }
    ::freeaddrinfo(found);
    return all;
  }
  static address path_of(std::string const& path) {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    if (path.size() >= sizeof where.sun_path) {
      detail::invalid_argument("redis_bucket", "host must be a path of at most 107 characters", path);
    }
    std::memcpy(where.sun_path, path.c_str(), path.size() + 1);
    address made{};
    std::memcpy(&made.where, &where, sizeof where);
    made.size = sizeof where;
    return made;
  }

  std::vector<address> addresses_;
  std::size_t next_ = 0;
  int file_ = -1;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
