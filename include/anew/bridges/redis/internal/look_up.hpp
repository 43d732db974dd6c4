// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_LOOK_UP_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_LOOK_UP_HPP

#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork.hpp"

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
  look_up(look_up&&) noexcept = default;
  look_up& operator=(look_up&&) = delete;
  look_up(look_up const&) = delete;
  look_up& operator=(look_up const&) = delete;
  ~look_up() { end(); }

  /// Unless one is under way, and unless the system has no thread.
  void begin(std::string const& host, std::uint16_t port, resolve_function by) {
    if (is_under_way()) return;
    end();
    auto made = std::make_unique<job>();
    made->host = host;
    made->port = port;
    made->by = by;
    sigset_t all;
    sigset_t own;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &own);  // no handler of the program runs in the thread
    int const error = ::pthread_create(&made->thread, nullptr, run, made.get());
    ::pthread_sigmask(SIG_SETMASK, &own, nullptr);
    if (error == 0) job_ = std::move(made);
  }
  [[nodiscard]] bool is_under_way() const noexcept { return job_ && job_->is_done.load_acquire() == 0; }
  /// Returns the addresses, once; none while it is under way.
  [[nodiscard]] addresses_found take() {
    addresses_found found;
    if (!job_ || is_under_way()) return found;
    found = std::move(job_->found);
    end();
    return found;
  }

 private:
  struct job {
    std::string host{};
    std::uint16_t port = 0;
    resolve_function by = nullptr;
    std::uint32_t generation = counted_fork_generation();
    pthread_t thread{};
    addresses_found found{};
    atomic_cell<std::uint32_t> is_done{0};
  };
  static void* run(void* of) {
    auto* const made = static_cast<job*>(of);
    made->found = made->by(made->host, made->port, 0);
    made->is_done.store_release(1);
    return nullptr;
  }
  void end() noexcept {
    if (job_ && job_->generation != counted_fork_generation()) static_cast<void>(job_.release());
    if (job_) ::pthread_join(job_->thread, nullptr);
    job_.reset();
  }

  std::unique_ptr<job> job_{};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
