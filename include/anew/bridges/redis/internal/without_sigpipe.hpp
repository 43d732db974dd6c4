// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_WITHOUT_SIGPIPE_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_WITHOUT_SIGPIPE_HPP

#include <signal.h>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/on_exit.hpp"

namespace anew::inline ANEW_ABI::redis::detail {

/// Calls `action`, which lets hiredis write: to a connection that the server has closed it writes without MSG_NOSIGNAL, and the
/// signal would end the program. A signal that was pending before stays so. Cost: four system calls
decltype(auto) without_sigpipe(auto const& action) {
  auto const is_pending = [] {
    ::sigset_t pending;
    ::sigpending(&pending);
    return ::sigismember(&pending, SIGPIPE) == 1;
  };
  ::sigset_t pipe, before;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  bool const was_pending = is_pending();
  ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
  anew::detail::on_exit const restore{[&] {
    int taken = 0;
    if (!was_pending && is_pending()) ::sigwait(&pipe, &taken);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }};
  return action();
}

}  // namespace anew::inline ANEW_ABI::redis::detail

#endif
