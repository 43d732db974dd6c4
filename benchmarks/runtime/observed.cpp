// SPDX-License-Identifier: BSL-1.0
#include <prometheus/registry.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <thread>
#include <vector>

#include "anew/anew.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/prometheus.hpp"

#include "interleaved.hpp"

/// What prometheus_metrics adds to a call, while a second thread makes the same calls through the same strategy: where the
/// operation does nothing, and where it sends a byte through a pair of sockets and reads it, the least that a request does.
namespace {

auto const no_sleep = [](anew::duration /*delay*/) {};
using plain = anew::strategy<anew::error_code_classifier, anew::no_backoff, anew::token_bucket<500>>;

plain const unwatched{};
prometheus::Registry registry;
anew::prometheus_metrics const metrics{registry, "benchmark"};
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

/// Fails `Failures` times, then succeeds.
template <int Failures, bool Sends>
void calls(auto const& strategy, std::uint64_t n) {
  thread_local sockets const pair;
  for (std::uint64_t i = 0; i < n; ++i) {
    int left = Failures;
    auto const error = anew::retry(strategy,
                                   anew::named(anew::idempotent([&left] {
                                                 if constexpr (Sends) pair.exchange();
                                                 return left-- > 0 ? std::make_error_code(std::errc::connection_reset)
                                                                   : std::error_code{};
                                               }),
                                               "exchange"),
                                   no_sleep);
    sink = error.value();
  }
}

std::atomic<interleaved::way> companion{nullptr};

template <int Failures, bool Sends, bool Watched>
void run(std::uint64_t n) {
  interleaved::way const mine = [](std::uint64_t times) {
    if constexpr (Watched) {
      calls<Failures, Sends>(watched, times);
    } else {
      calls<Failures, Sends>(unwatched, times);
    }
  };
  companion = mine;
  mine(n);
}

template <int Failures, bool Sends>
void compare(char const* what) {
  interleaved::report(what,
                      {{"without", &run<Failures, Sends, false>}, {"prometheus_metrics", &run<Failures, Sends, true>}});
}

}  // namespace

int main() {
  std::atomic<bool> is_over{false};
  std::thread other{[&] {
    while (!is_over) {
      if (auto const way = companion.load(); way != nullptr) way(64);
    }
  }};
  interleaved::print_header();
  compare<0, false>("succeeds, does nothing");
  compare<1, false>("retries once, does nothing");
  compare<0, true>("succeeds, a byte there and back");
  compare<1, true>("retries once, the same");
  is_over = true;
  other.join();
}
