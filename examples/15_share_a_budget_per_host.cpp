// SPDX-License-Identifier: BSL-1.0
// A budget for each host: a host that is down uses up only its own retries. And one budget for two strategies.
#include <chrono>
#include <cstdio>
#include <future>
#include <map>
#include <mutex>
#include <string>

#include "anew/anew.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/policies/sharing/partitioned.hpp"
#include "anew/policies/sharing/shared.hpp"

using namespace std::chrono_literals;

// [client]
class client {
 public:
  /// Makes the requests of a call until one succeeds. How many it took.
  int call(std::string const& host, bool is_up) {
    int requests = 0;
    (void)anew::retry(strategy_of(host), [&] {
      ++requests;
      return is_up;
    });
    return requests;
  }

  void print_balances() const {
    std::map<std::string, unsigned> balances;  // sorted: the registry visits in no particular order
    budgets_.for_each([&balances](std::string const& host, anew::token_bucket<70> const& bucket) {
      balances[host] = bucket.balance();
    });
    for (auto const& [host, balance] : balances) std::printf("  %-13s %2u of 70\n", host.c_str(), balance);
  }

 private:
  using budgets = anew::partitioned<std::string, anew::token_bucket<70>>;
  using strategy = anew::strategy<anew::no_backoff, budgets::lease, anew::retry_all>;

  /// Composed once for a host, and kept: an element of a map stays where it is.
  strategy const& strategy_of(std::string const& host) {
    std::lock_guard const lock{mutex_};  // the map needs it; calls share a strategy without a lock
    return strategies_.try_emplace(host, anew::no_backoff{}, budgets_.at(host)).first->second;
  }

  budgets budgets_{1000};  // at most so many hosts have one of their own
  std::mutex mutex_;
  std::map<std::string, strategy> strategies_;
};
// [/client]

int main() {
  client c;
  auto const call_20_times = [&](std::string const& host, bool is_up) {
    int requests = 0;
    for (int i = 0; i != 20; ++i) requests += c.call(host, is_up);
    return requests;
  };
  auto others = std::async(std::launch::async, call_20_times, "up.example", true);  // from two threads
  int const down = call_20_times("down.example", false);
  int const up = others.get();
  std::printf("20 calls to a host that is down made %d requests, 20 to one that is up made %d.\n", down, up);
  c.print_balances();

  // [shared]
  anew::shared<anew::token_bucket<70>> const budget{};
  auto const reads = anew::compose(budget, anew::no_backoff{}, anew::retry_all{}, anew::max_attempts<5>{});
  auto const writes = anew::compose(budget, anew::no_backoff{}, anew::retry_all{}, anew::max_attempts<2>{});
  (void)anew::retry(reads, [] { return false; });
  (void)anew::retry(writes, [] { return false; });
  // [/shared]
  std::printf("Reads and writes share a budget: four retries and one leave %u.\n", budget.policy().balance());

  // [budgets]
  auto const by_share = anew::compose(anew::retry_budget<20, 0, 10s>{}, anew::no_backoff{}, anew::retry_all{});
  int requests = 0;
  for (int i = 0; i != 100; ++i) {
    (void)anew::retry(by_share, [&] {
      ++requests;
      return false;
    });
  }
  // [/budgets]
  std::printf("100 calls with a budget of 20 %% made %d requests, though all of them failed.\n", requests);

  std::printf("%s\n", anew::describe(reads).c_str());
}
