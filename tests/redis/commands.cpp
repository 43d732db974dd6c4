// SPDX-License-Identifier: BSL-1.0
// Clients that write into a Redis that is killed and restarted, as a replica at first, and the books at the end.
// run_commands.py has the server. They write until the standard input ends.
//
// usage: commands PORT CLIENTS
#include <hiredis/hiredis.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "anew/anew.hpp"
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
    if (!end.has_value()) {
      bool const may_have_run = !is_keyed && end.is_retry_safe() == anew::retry_safety::maybe;
      ++(may_have_run ? of.unknown : of.lost);
      if (!may_have_run) std::printf("lost %s: %s\n", id.c_str(), end.message().c_str());
    }
    ++(is_keyed ? of.keyed : of.once);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  auto const port = std::atoi(argv[1]);
  auto const clients = static_cast<unsigned>(std::atoi(argv[2]));
  books of;
  {
    std::vector<std::jthread> threads;
    for (unsigned self = 0; self != clients; ++self) threads.emplace_back([&, self] { client(port, self, of); });
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
