// SPDX-License-Identifier: BSL-1.0
// Clients that write into a Redis that is killed and restarted, as a replica at first. run_commands.py has the server
// and the books. They write until the standard input ends.
//
// usage: commands PORT CLIENTS [asio]
#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/bridges/redis/async_execute.hpp"
#include "anew/redis.hpp"

#include "clerk.hpp"

namespace {

using support::patient;

struct frees {
  void operator()(redisContext* one) const { redisFree(one); }
};
using connection = std::unique_ptr<redisContext, frees>;

std::atomic<bool> is_over = false;

void tell(anew::redis::result const& end, std::string const& id, bool is_keyed) {
  support::tell((is_keyed ? "keyed " : "once ") + id, end.has_value(), end.is_retry_safe() == anew::retry_safety::maybe,
                end.message());
}

// Half of the commands may run twice: a set has an element once. The others must not: a list gets it again.
void client(int port, unsigned self) {
  connection const c{redisConnect("127.0.0.1", port)};
  patient const strategy{};
  for (unsigned n = 0; !is_over; ++n) {
    bool const is_keyed = n % 2 == 0;
    auto const id = std::to_string(self) + "-" + std::to_string(n);
    // [call]
    auto const add = [&](anew::attempt& attempt) {
      return anew::redis::execute(c.get(), attempt, is_keyed ? "SADD keyed %s" : "RPUSH once %s", id.c_str());
    };
    auto const end = is_keyed ? anew::retry(strategy, anew::idempotent(add)) : anew::retry(strategy, add);
    // [/call]
    tell(end, id, is_keyed);
  }
}

namespace net = anew::net;

net::awaitable<void> client_on_asio(anew::redis::async_connection& redis, std::string self) {
  patient const strategy{};
  for (unsigned n = 0; !is_over; ++n) {
    bool const is_keyed = n % 2 == 0;
    auto const id = self + "-" + std::to_string(n);
    // [async_call]
    auto const add = anew::redis::async_execute(redis, is_keyed ? "SADD keyed %s" : "RPUSH once %s", id.c_str());
    std::optional<anew::redis::result> end;
    if (is_keyed)
      end = co_await anew::async_retry(strategy, anew::idempotent(add), net::use_awaitable);
    else
      end = co_await anew::async_retry(strategy, add, net::use_awaitable);
    // [/async_call]
    tell(*end, id, is_keyed);
  }
}

// Two callers share a connection.
void run_on_asio(int port, unsigned connections) {
  net::io_context context;
  std::list<anew::redis::async_connection> all;
  unsigned left = 2 * connections;
  auto const ends = [&](std::exception_ptr const& /*none*/) {
    if (--left == 0) all.clear();  // an open connection keeps the loop running
  };
  for (unsigned self = 0; self != connections; ++self) {
    // [async_connection]
    auto const connect = [port] { return redisAsyncConnect("127.0.0.1", port); };
    auto& redis = all.emplace_back(context.get_executor(), connect);
    // [/async_connection]
    for (char const* const caller : {"a", "b"})
      net::co_spawn(context, client_on_asio(redis, caller + std::to_string(self)), ends);
  }
  context.run();
}

/// Whether a call ends when its connection is destroyed: before its first turn, while it connects, with a command under way.
bool ends_when_destroyed(int port) {
  for (int turns = 0; turns != 3; ++turns) {
    net::io_context context;
    std::optional<anew::redis::async_connection> redis;
    redis.emplace(context.get_executor(), [port] { return redisAsyncConnect("127.0.0.1", port); });
    std::string message;
    anew::async_retry(context, patient{}, anew::redis::async_execute(*redis, "BLPOP nothing 0"),
                      [&message](anew::redis::result const& end) { message = end.message(); });
    for (int i = 0; i != turns; ++i) context.run_one();
    redis.reset();
    context.run();
    if (message != "the connection was destroyed") return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  auto const port = std::atoi(argv[1]);
  auto const clients = static_cast<unsigned>(std::atoi(argv[2]));
  if (argc > 3 && !ends_when_destroyed(port)) return 3;
  std::vector<std::jthread> threads;
  if (argc > 3) threads.emplace_back(run_on_asio, port, clients);
  for (unsigned self = 0; argc == 3 && self != clients; ++self) threads.emplace_back(client, port, self);
  while (std::getchar() != EOF) continue;
  is_over = true;
}
