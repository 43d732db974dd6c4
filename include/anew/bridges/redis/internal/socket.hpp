// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_SOCKET_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_SOCKET_HPP

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <future>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/fork.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/platform/internal/on_exit.hpp"
#include "anew/bridges/redis/redis_settings.hpp"

namespace anew::inline ANEW_ABI::detail {

struct socket_address {
  sockaddr_storage where;
  socklen_t size;
};

/// The addresses of a name, or the error of getaddrinfo.
struct addresses_found {
  std::vector<socket_address> all{};
  int error = 0;
};
using resolve_function = addresses_found (*)(std::string const& host, std::uint16_t port, int flags);

/// Asks the system's resolver, which may take long.
inline addresses_found resolve(std::string const& host, std::uint16_t port, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* list = nullptr;
  addresses_found found;
  found.error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (found.error != 0) return found;
  for (auto const* one = list; one != nullptr; one = one->ai_next) {
    socket_address each{};
    std::memcpy(&each.where, one->ai_addr, one->ai_addrlen);
    each.size = one->ai_addrlen;
    found.all.push_back(each);
  }
  ::freeaddrinfo(list);
  return found;
}

/// A look-up of a name that no call waits for: getaddrinfo has no form that does not wait, so a thread makes it, which
/// ends with it. The destructor waits for a look-up that is under way, because the code of a library that is unloaded
/// must not run on. A forked child has no such thread, and leaves what it was writing alone.
class look_up {
 public:
  look_up() = default;
  look_up(look_up const&) = delete;
  look_up& operator=(look_up const&) = delete;
  ~look_up() {
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): a child that has no memory left ends
    if (generation_ != counted_fork_generation()) new std::future<addresses_found>{std::move(found_)};
  }

  /// Unless one is under way, and unless the system has no thread.
  void begin(std::string const& host, std::uint16_t port, resolve_function by) {
    if (is_under_way()) return;
    sigset_t all;
    sigset_t own;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &own);  // no handler of the program runs in the thread
    on_exit const restore{[&own] { ::pthread_sigmask(SIG_SETMASK, &own, nullptr); }};
#if ANEW_EXCEPTIONS
    try {
      found_ = std::async(std::launch::async, by, host, port, 0);
    } catch (std::system_error const&) {
      found_ = {};
    }
#else
    found_ = std::async(std::launch::async, by, host, port, 0);
#endif
  }
  [[nodiscard]] bool is_under_way() const {
    return found_.valid() && found_.wait_for(std::chrono::seconds{0}) != std::future_status::ready;
  }
  /// Returns the addresses, once; none while it is under way.
  [[nodiscard]] addresses_found take() { return found_.valid() && !is_under_way() ? found_.get() : addresses_found{}; }

 private:
  std::uint32_t generation_ = counted_fork_generation();
  std::future<addresses_found> found_{};
};

/// A stream socket of which no function waits, encrypted where the settings say so. The constructor looks the name up,
/// which may take long. Each later connection looks it up again, in a thread that no call waits for: it is made to the
/// addresses that were known, if the resolver has no answer in half the limit.
class redis_socket {
 public:
  explicit redis_socket(redis_settings const& to, resolve_function by = resolve)
      : host_{to.host}, port_{to.port}, tls_{to.tls}, resolve_{by} {
    if (host_.front() == '/') {
      first_ = {path_of(host_)};
    } else {
      auto found = by(host_, port_, AI_NUMERICHOST);
      is_name_ = found.error != 0;
      if (is_name_) found = by(host_, port_, 0);
      if (found.error != 0 || found.all.empty()) {
        detail::invalid_argument("redis_bucket", "host must be a name that can be resolved, an address or a path",
                                 shown(host_) + " (" + ::gai_strerror(found.error) + ")");
      }
      first_ = std::move(found.all);
    }
    addresses_ = first_;
  }
  // NOLINTNEXTLINE(performance-noexcept-move-constructor): it copies one that has no connection yet
  redis_socket(redis_socket&& other) : redis_socket{other, other.is_old_} {}
  redis_socket& operator=(redis_socket&&) = delete;
  redis_socket(redis_socket const&) = delete;
  redis_socket& operator=(redis_socket const&) = delete;
  ~redis_socket() { close(); }

  /// For a forked child: closes its copy of the connection, and returns another one to the same server. Uses only what
  /// no step changes, because a step of the parent may have been cut in two.
  [[nodiscard]] redis_socket leave() {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
    return redis_socket{*this, true};
  }

  /// Begins a connection, after the first one with a look-up of the name.
  [[nodiscard]] bool connect() {
    error_.clear();
    if (!is_name_ || !std::exchange(is_old_, true)) return connect_to_next();
    take_addresses();
    look_up_.begin(host_, port_, resolve_);
    stage_ = stage::looking_up;
    return true;
  }
  /// `has_time`: it may go on to wait for the resolver.
  [[nodiscard]] connecting progress(bool has_time) {
    switch (stage_) {
      case stage::looking_up:
        if (look_up_.is_under_way() && has_time) return connecting::pending;
        take_addresses();
        return connect_to_next() ? connecting::advanced : connecting::failed;
      case stage::connecting: {
        auto const found = looked();
        if (found != connecting::done || !tls_) return found;
        session_ = tls_->begin(file_, host_);
        stage_ = stage::shaking_hands;
        return session_ ? connecting::advanced : connecting::failed;
      }
      case stage::shaking_hands: break;
    }
    auto const found = session_->shake_hands();
    if (found == connecting::failed) error_ = session_->error();
    return found;
  }
  /// Returns the number of bytes; 0 if it would block; a negative number if the connection has ended.
  [[nodiscard]] std::ptrdiff_t send(char const* bytes, std::size_t size) {
    if (session_) return noted(session_->send(bytes, size));
    return moved(::send(file_, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL), false);
  }
  [[nodiscard]] std::ptrdiff_t receive(char* bytes, std::size_t size) {
    if (session_) return noted(session_->receive(bytes, size));
    return moved(::recv(file_, bytes, size, MSG_DONTWAIT), true);
  }
  /// More about the last failure, where more is known.
  [[nodiscard]] std::string const& error() const noexcept { return error_; }
  void close() noexcept {
    session_.reset();
    if (file_ >= 0) ::close(std::exchange(file_, -1));
  }

 private:
  enum class stage : std::uint8_t { looking_up, connecting, shaking_hands };

  redis_socket(redis_socket const& other, bool is_old)
      : host_{other.host_},
        port_{other.port_},
        tls_{other.tls_},
        resolve_{other.resolve_},
        is_name_{other.is_name_},
        first_{other.first_},
        addresses_{first_},
        is_old_{is_old} {}

  void take_addresses() {
    auto found = look_up_.take();
    if (found.error != 0)
      error_ = std::string{"the name cannot be resolved again: "}.append(::gai_strerror(found.error));
    if (!found.all.empty()) addresses_ = std::move(found.all);
  }
  [[nodiscard]] bool connect_to_next() noexcept {
    stage_ = stage::connecting;
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
  [[nodiscard]] connecting looked() const noexcept {
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
  [[nodiscard]] std::ptrdiff_t noted(std::ptrdiff_t size) {
    if (size < 0) error_ = session_->error();
    return size;
  }
  static std::ptrdiff_t moved(std::ptrdiff_t size, bool zero_is_end) noexcept {
    if (size > 0 || (size == 0 && !zero_is_end)) return size;
    if (size == 0) return -1;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
  }
  static socket_address path_of(std::string const& path) {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    if (path.size() >= sizeof where.sun_path) {
      detail::invalid_argument("redis_bucket", "host must be a path of at most 107 characters", shown(path));
    }
    std::memcpy(where.sun_path, path.c_str(), path.size() + 1);
    socket_address made{};
    std::memcpy(&made.where, &where, sizeof where);
    made.size = sizeof where;
    return made;
  }

  std::string host_;
  std::uint16_t port_;
  std::shared_ptr<encryption const> tls_;
  resolve_function resolve_;
  bool is_name_ = false;
  std::vector<socket_address> first_{};  ///< of the constructor

  std::vector<socket_address> addresses_{};
  std::size_t next_ = 0;
  bool is_old_ = false;  ///< a connection to the first addresses was tried
  stage stage_ = stage::connecting;
  look_up look_up_{};
  std::unique_ptr<encrypted_connection> session_{};
  std::string error_{};
  int file_ = -1;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
