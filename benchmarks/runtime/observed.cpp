// SPDX-License-Identifier: BSL-1.0
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "anew/anew.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/prometheus.hpp"

#include "interleaved.hpp"

/// What prometheus_metrics adds to a call, on one thread, and while a second thread makes the same calls through the same
/// strategy: where the operation does nothing, where it computes for about a microsecond, and where it sends a byte through
/// a pair of sockets and reads it, the least that a request does. Two readings of the clock are printed for comparison.
namespace {

auto const no_sleep = [](anew::duration /*delay*/) {};
using plain = anew::strategy<anew::error_code_classifier, anew::no_backoff, anew::token_bucket<500>>;

plain const unwatched{};
anew::prometheus_metrics const metrics{std::make_shared<anew::prometheus_families>(), "benchmark"};
auto const watched =
    anew::compose(anew::error_code_classifier{}, anew::no_backoff{}, anew::token_bucket<500>{}, metrics);

struct sockets {
  int ends[2];
  sockets() {
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) std::abort();
  }
  void exchange() const {
    char byte = 1;
    if (::write(ends[0], &byte, 1) != 1 || ::read(ends[1], &byte, 1) != 1) std::abort();
  }
};

std::int64_t volatile sink = 0;

/// For about a microsecond.
void compute() {
  auto x = static_cast<std::uint64_t>(sink);
  for (int i = 0; i != 750; ++i) x = x * 6'364'136'223'846'793'005U + 1;
  sink = static_cast<std::int64_t>(x);
}

enum class work { nothing, computing, sending };

/// Fails `Failures` times, then succeeds.
template <int Failures, work Work>
void calls(auto const& strategy, std::uint64_t n) {
  thread_local sockets const pair;
  for (std::uint64_t i = 0; i < n; ++i) {
    int left = Failures;
    auto const error = anew::retry(strategy,
                                   anew::named(anew::idempotent([&left] {
                                                 if constexpr (Work == work::computing) compute();
                                                 if constexpr (Work == work::sending) pair.exchange();
                                                 return left-- > 0 ? std::make_error_code(std::errc::connection_reset)
                                                                   : std::error_code{};
                                               }),
                                               "exchange"),
                                   no_sleep);
    sink = error.value();
  }
}

std::atomic<interleaved::way> companion{nullptr};

template <int Failures, work Work, bool Watched>
void run(std::uint64_t n) {
  interleaved::way const mine = [](std::uint64_t times) {
    if constexpr (Watched) {
      calls<Failures, Work>(watched, times);
    } else {
      calls<Failures, Work>(unwatched, times);
    }
  };
  companion = mine;
  mine(n);
}

template <int Failures, work Work>
void compare(char const* what) {
  interleaved::report(what,
                      {{"without", &run<Failures, Work, false>}, {"prometheus_metrics", &run<Failures, Work, true>}});
}

}  // namespace

int main() {
  auto const compare_all = [] {
    compare<0, work::nothing>("succeeds, does nothing");
    compare<1, work::nothing>("retries once, does nothing");
    compare<0, work::computing>("succeeds, computes");
    compare<1, work::computing>("retries once, computes");
    compare<0, work::sending>("succeeds, a byte there and back");
    compare<1, work::sending>("retries once, the same");
  };
  interleaved::print_header();
  interleaved::report("two readings of the clock",
                      {{"", [](std::uint64_t n) {
                          for (std::uint64_t i = 0; i != 2 * n; ++i)
                            sink = std::chrono::steady_clock::now().time_since_epoch().count();
                        }}});
  std::puts("one thread");
  compare_all();
  std::puts("two threads");
  std::atomic<bool> is_over{false};
  std::thread other{[&] {
    while (!is_over) {
      if (auto const way = companion.load(); way != nullptr) way(64);
    }
  }};
  compare_all();
  is_over = true;
  other.join();
}
