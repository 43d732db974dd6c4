// SPDX-License-Identifier: BSL-1.0
// Clients that write into a Redis that is killed and restarted, as a replica at first, and the books at the end.
// run_commands.py has the server. They write until the standard input ends.
//
// usage: commands PORT CLIENTS [asio]
#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <list>
#include <map>
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
#include "anew/policies.hpp"
#include "anew/redis.hpp"

namespace {

using namespace std::chrono_literals;

// A server that starts again takes a while; the deadline only ends a test that hangs.
using patient =
    anew::strategy<anew::exponential_backoff<2ms, 50ms>, anew::full_jitter, anew::unbounded, anew::deadline<120s>>;

struct frees {
  void operator()(redisContext* one) const { redisFree(one); }
};
using connection = std::unique_ptr<redisContext, frees>;

struct books {
  std::atomic<bool> is_over = false;
  std::atomic<unsigned> keyed = 0, once = 0, unknown = 0, lost = 0;

  void enter(anew::redis::result const& end, std::string const& id, bool is_keyed) {
    if (!end.has_value()) {
      bool const may_have_run = !is_keyed && end.is_retry_safe() == anew::retry_safety::maybe;
      ++(may_have_run ? unknown : lost);
      if (!may_have_run) std::printf("lost %s: %s\n", id.c_str(), end.message().c_str());
    }
    ++(is_keyed ? keyed : once);
  }
};

// Half of the commands may run twice: a set has an element once. The others must not: a list gets it again.
void client(int port, unsigned self, books& of) {
  connection const c{redisConnect("127.0.0.1", port)};
  patient const strategy{};
  for (unsigned n = 0; !of.is_over; ++n) {
    bool const is_keyed = n % 2 == 0;
    auto const id = std::to_string(self) + "-" + std::to_string(n);
    // [call]
    auto const add = [&](anew::attempt& attempt) {
      return anew::redis::execute(c.get(), attempt, is_keyed ? "SADD keyed %s" : "RPUSH once %s", id.c_str());
    };
    auto const end = is_keyed ? anew::retry(strategy, anew::idempotent(add)) : anew::retry(strategy, add);
    // [/call]
    of.enter(end, id, is_keyed);
  }
}

namespace net = anew::net;

net::awaitable<void> client_on_asio(anew::redis::async_connection& redis, std::string self, books& of) {
  patient const strategy{};
  for (unsigned n = 0; !of.is_over; ++n) {
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
    of.enter(*end, id, is_keyed);
  }
}

// Two callers share a connection.
void run_on_asio(int port, unsigned connections, books& of) {
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
      net::co_spawn(context, client_on_asio(redis, caller + std::to_string(self), of), ends);
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
  books of;
  {
    std::vector<std::jthread> threads;
    if (argc > 3) threads.emplace_back([&] { run_on_asio(port, clients, of); });
    for (unsigned self = 0; argc == 3 && self != clients; ++self)
      threads.emplace_back([&, self] { client(port, self, of); });
    while (std::getchar() != EOF) continue;
    of.is_over = true;
  }
  connection const c{redisConnect("127.0.0.1", port)};
  anew::redis::result const keyed{c.get(), redisCommand(c.get(), "SCARD keyed")};
  anew::redis::result const once{c.get(), redisCommand(c.get(), "LRANGE once 0 -1")};
  if (!keyed.has_value() || !once.has_value()) return 1;
  std::map<std::string, unsigned> times;
  for (std::size_t i = 0; i != once.get()->elements; ++i) ++times[once.get()->element[i]->str];
  auto const twice = once.get()->elements - times.size();
  std::printf("keyed %u of %lld, once %u of %zu, unknown %u, lost %u, twice %zu\n", of.keyed.load(),
              keyed.get()->integer, of.once.load(), times.size(), of.unknown.load(), of.lost.load(), twice);
  bool const is_right = of.lost == 0 && keyed.get()->integer == of.keyed && twice == 0 && times.size() <= of.once &&
                        times.size() + of.unknown >= of.once;
  return is_right ? 0 : 1;
}
