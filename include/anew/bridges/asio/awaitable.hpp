// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_AWAITABLE_HPP
#define ANEW_BRIDGES_ASIO_AWAITABLE_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/coroutine/cancelled_by.hpp"
#include "anew/roles/classifier.hpp"

namespace anew::inline ANEW_ABI {

/// Asio's coroutines say by its own exception that they were cancelled; `co_await anew::retry()` does not retry that.
template <class T, class Executor>
struct cancelled_by<net::awaitable<T, Executor>> {
  using type = catch_list<net_system_error>;
};

}  // namespace anew::inline ANEW_ABI

#endif
