// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_WITH_HIREDIS_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_WITH_HIREDIS_HPP

#include <signal.h>

#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/on_exit.hpp"

namespace anew::inline ANEW_ABI::redis::detail {

/// hiredis reads a `std::string` as if it were a pointer, and sends the server whatever lies there.
template <class... Arguments>
inline constexpr bool are_read_by_hiredis = (std::is_scalar_v<Arguments> && ...);

template <class... Arguments>
consteval bool explain_arguments() {
  static_assert(
      are_read_by_hiredis<Arguments...>,
      "anew::redis::execute and async_execute require arguments that are numbers or pointers; one of these is "
      "an object, which hiredis cannot read. Pass text.c_str() for %s, or text.data(), text.size() for %b");
  return are_read_by_hiredis<Arguments...>;
}

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
