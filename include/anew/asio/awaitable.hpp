// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_AWAITABLE_HPP
#define ANEW_ASIO_AWAITABLE_HPP

#include "anew/asio/internal/net.hpp"
#include "anew/concept/classifier.hpp"
#include "anew/coroutine/cancelled_by.hpp"
#include "anew/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// Asio's coroutines say by its own exception that they were cancelled; `co_await anew::retry()` does not retry that.
template <class T, class Executor>
struct cancelled_by<net::awaitable<T, Executor>> {
  using type = catch_list<net_system_error>;
};

}  // namespace anew::inline ANEW_ABI

#endif
