// SPDX-License-Identifier: BSL-1.0
// Workers that a server forks share its quotas: one bucket for the host, and one limit of retries under way.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "anew/anew.hpp"
#include "anew/process.hpp"

namespace {

/// Runs `work` in a worker process, to its end.
template <class Work>
void in_a_worker(Work const& work) {
  pid_t const worker = ::fork();
  if (worker == 0) {
    work();
    std::fflush(stdout);
    ::_exit(0);
  }
  ::waitpid(worker, nullptr, 0);
}

/// A call to a service that is down.
template <class Strategy>
int requests_of_a_call(Strategy const& strategy) {
  int requests = 0;
  (void)anew::retry(strategy, [&] {
    ++requests;
    return false;
  });
  return requests;
}

void share_a_bucket(std::string const& name) {
  // [bucket]
  anew::process::token_bucket const bucket{name, 42};  // pays for three retries of all processes
  auto const strategy = anew::compose(bucket, anew::no_backoff{}, anew::retry_all{}, anew::max_attempts<3>{});
  for (int worker = 1; worker <= 3; ++worker) {
    in_a_worker([&] {
      int const requests = requests_of_a_call(strategy);
      std::printf("worker %d made %d requests, balance %2u\n", worker, requests, bucket.balance());
    });
  }
  // [/bucket]
}

void survive_a_kill(std::string const& name) {
  // [kill]
  anew::process::concurrency_budget const budget{name, 0, 2};  // two retries under way, whatever the calls
  in_a_worker([&] {
    while (budget.try_acquire(anew::failure{})) {
    }
    std::printf("a worker holds %d permits and is killed\n", static_cast<int>(budget.retries()));
    std::fflush(stdout);
    ::kill(::getpid(), SIGKILL);
  });
  // Refused, until the kernel says that the worker is dead: 10 ms after its death at the latest.
  auto permit = budget.try_acquire(anew::failure{});
  while (!permit) permit = budget.try_acquire(anew::failure{});
  std::printf("%d of 2 permits under way\n", static_cast<int>(budget.retries()));
  budget.release(*permit);
  // [/kill]
}

}  // namespace

int main() {
  auto const name = "example-" + std::to_string(::getpid());  // yours would be a fixed one: "checkout"
  std::fflush(stdout);
  share_a_bucket(name);
  // [remove]
  anew::process::remove(name);
  // [/remove]
  survive_a_kill(name);
  anew::process::remove(name);
}
