// SPDX-License-Identifier: BSL-1.0
// A reader of two replicas, one of which hangs: a second attempt is sent to the other, and the first answer wins.
#include <chrono>
#include <cstdio>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/hedge.hpp"
#include "anew/policies/quota/retry_budget.hpp"

using namespace std::chrono_literals;
namespace net = anew::net;

namespace {

int cancelled = 0;

/// Asks one replica. The second replica hangs; the attempt that loses is cancelled here.
net::awaitable<std::string> ask(unsigned replica) {
  struct count_the_cancelled {
    bool is_done = false;
    ~count_the_cancelled() { cancelled += is_done ? 0 : 1; }
  } end;
  if (replica == 2) {
    net::steady_timer hangs{co_await net::this_coro::executor, 1h};
    co_await hangs.async_wait(net::use_awaitable);
  } else {
    co_await net::post(net::use_awaitable);
  }
  end.is_done = true;
  co_return "replica " + std::to_string(replica);
}

// [strategy]
// Extra attempts: ten a second, and one for ten calls.
anew::strategy<anew::retry_all, anew::max_attempts<2>, anew::retry_budget<10, 10>> const strategy;
// [/strategy]

net::awaitable<void> with_a_fixed_delay() {
  // [fixed]
  anew::hedge_after<5ms> const hedging;
  auto const answer = co_await anew::async_hedge(strategy, hedging, anew::idempotent([](anew::attempt& self) {
                                                   return ask(self.number() == 1 ? 2 : 1);
                                                 }),  // the other replica
                                                 net::use_awaitable);
  // [/fixed]
  std::printf("the first attempt hangs: %s answers, %d cancelled\n", answer.c_str(), cancelled);
}

// [quantile]
anew::hedge_at_quantile<95, 100, 1, anew::quantile_bounds{.initial = 5ms}> const when_late;  // shared by all calls

net::awaitable<std::string> read_record(unsigned replica) {
  co_return co_await anew::async_hedge(strategy, when_late, anew::idempotent([replica](anew::attempt& self) {
                                         return ask(self.number() == 1 ? replica : 3 - replica);
                                       }),
                                       net::use_awaitable);
}
// [/quantile]

net::awaitable<void> with_a_learned_delay() {
  int from_the_first = 0;
  cancelled = 0;
  for (int i = 0; i < 200; ++i) {
    // One call in 50 meets the replica that hangs.
    if (co_await read_record(i % 50 == 49 ? 2 : 1) == "replica 1") ++from_the_first;
  }
  std::printf("200 calls, 4 of them hang at first: %d answers of replica 1, %d cancelled\n", from_the_first, cancelled);
  std::printf("the delay has been learned: %s\n", when_late.delay() < 5ms ? "it is shorter" : "it is not shorter");
}

}  // namespace

int main() {
  net::io_context loop;
  net::co_spawn(loop, with_a_fixed_delay(), net::detached);
  loop.run();
  loop.restart();
  net::co_spawn(loop, with_a_learned_delay(), net::detached);
  loop.run();
}
