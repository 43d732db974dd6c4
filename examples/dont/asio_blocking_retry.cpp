// SPDX-License-Identifier: BSL-1.0
// retry() blocks its thread, and with it the event loop, also inside a coroutine.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "anew/asio.hpp"

#include "given.hpp"

namespace net = anew::net;

using client = anew::strategy<anew::constant_backoff<2ms>, anew::no_jitter, anew::retry_on<net_error>>;

// [dont]
net::awaitable<void> blocks(client const& strategy, char const* name) {
  std::printf("  %s begins\n", name);
  int attempts = 0;
  anew::retry(strategy, [&] {
    if (++attempts < 3) throw net_error{"lost"};
  });
  std::printf("  %s ends\n", name);
  co_return;
}
// [/dont]

// [do]
net::awaitable<void> waits(client const& strategy, char const* name) {
  std::printf("  %s begins\n", name);
  auto const send = [](anew::attempt& attempt) -> net::awaitable<void> {
    if (attempt.number() < 3) throw net_error{"lost"};
    co_return;
  };
  co_await anew::async_retry(strategy, send, net::use_awaitable);
  std::printf("  %s ends\n", name);
}
// [/do]

template <class Call>
void run_two(Call call) {
  client const strategy{};
  net::io_context context;
  net::co_spawn(context, call(strategy, "a"), net::detached);
  net::co_spawn(context, call(strategy, "b"), net::detached);
  context.run();
}

int main() {
  std::printf("DON'T\n");
  run_two(blocks);
  std::printf("DO\n");
  run_two(waits);
}
