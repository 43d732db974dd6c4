// SPDX-License-Identifier: BSL-1.0
// chapter: Calls on Asio

// section: A blocking retry in a coroutine of Asio
// `anew::retry` awaits a coroutine only if you include `anew/coroutine.hpp`, and then needs a sleep. On Asio, use
// `anew::async_retry`.
// expect-error: anew::retry(strategy, operation) requires a finished result
// expect-error: include <anew/coroutine.hpp>, pass a sleep and co_await the call
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

namespace asio_awaits_without_its_header {
namespace net = anew::net;

using patient = anew::strategy<anew::retry_all>;

net::awaitable<unsigned> ask() { co_return 42; }

net::awaitable<void> client() {
#ifdef ANEW_REJECT  // wrong: anew/coroutine.hpp is not included
  co_await anew::retry(patient{}, ask);
#else  // right
  co_await anew::async_retry(patient{}, ask, net::use_awaitable);
#endif
}

void run() {
  net::io_context context;
  net::co_spawn(context, client(), net::detached);
  context.run();
}
}  // namespace asio_awaits_without_its_header
