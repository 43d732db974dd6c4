// SPDX-License-Identifier: BSL-1.0
// A process of a fleet that shares a bucket on a real Redis: it makes calls as it is told, one order a line, and tells what
// became of them. Of the system calls that a bucket may make it counts those that could wait.
//
//     redis_worker PORT NAME SEED block|loop    calls that block their thread, or that run on Asio's event loop
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include <boost/asio/append.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/redis.hpp"

namespace {

int can_wait = 0;  // calls that might wait
int made = 0;
bool is_built = false;

void look_at(bool waits) {
  ++made;
  can_wait += waits && is_built ? 1 : 0;
}
bool is_blocking(int file) { return (::fcntl(file, F_GETFL) & O_NONBLOCK) == 0; }

}  // namespace

// These stand before those of the C library.
extern "C" {
int connect(int file, sockaddr const* where, socklen_t size) {
  look_at(is_blocking(file));
  return static_cast<int>(::syscall(SYS_connect, file, where, size));
}
ssize_t send(int file, void const* bytes, std::size_t size, int flags) {
  look_at((flags & MSG_DONTWAIT) == 0);
  return ::syscall(SYS_sendto, file, bytes, size, flags, nullptr, 0);
}
ssize_t recv(int file, void* bytes, std::size_t size, int flags) {
  look_at((flags & MSG_DONTWAIT) == 0);
  return ::syscall(SYS_recvfrom, file, bytes, size, flags, nullptr, nullptr);
}
int poll(pollfd* files, nfds_t count, int timeout) {
  look_at(timeout != 0);
  return static_cast<int>(::syscall(SYS_poll, files, count, timeout));
}
}

namespace {

using namespace std::chrono_literals;

/// How long something took on the processor, in steps of an eighth. What passes while another process has the processor
/// does not count; that nothing waits is seen in the system calls.
struct books {
  auto measured(auto const& f) {
    auto const begun = processor_time();
    auto const answer = f();
    auto const took = processor_time() - begun;
    longest_ = std::max(longest_, took);
    auto const width = static_cast<unsigned>(std::bit_width(took));
    ++by_size_[width < 4 ? took : (width - 3) * 8 + (took >> (width - 4) & 7U)];
    return ++calls_, answer;
  }
  /// The upper edge of the step that has it.
  [[nodiscard]] std::uint64_t quantile(double share) const {
    auto const wanted = static_cast<std::uint64_t>(share * static_cast<double>(calls_));
    std::uint64_t seen = 0;
    for (unsigned i = 0; i != std::size(by_size_); ++i) {
      seen += by_size_[i];
      if (seen > wanted) return i < 8 ? i : std::uint64_t{9 + i % 8} << (i / 8 - 1);
    }
    return 0;
  }
  [[nodiscard]] std::uint64_t longest() const { return longest_; }

 private:
  static std::uint64_t processor_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
  }

  std::uint64_t by_size_[512] = {};
  std::uint64_t calls_ = 0;
  std::uint64_t longest_ = 0;
};

/// The bucket, with a clock at each of its functions.
struct timed {
  using role = anew::roles::quota;
  using permit_type = anew::redis_bucket::permit_type;
  anew::redis_bucket const* of;
  books* in;

  auto measured(auto const& f) const { return in->measured(f); }
  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& what, anew::time_point now) const {
    return measured([&] { return of->try_acquire(what, now); });
  }
  [[nodiscard]] anew::admission<permit_type> settle(permit_type held, anew::time_point now) const {
    return measured([&] { return of->settle(held, now); });
  }
  void on_success(permit_type held) const { of->on_success(held); }
  void release(permit_type held) const { of->release(held); }
  void on_call(auto&& now) const {
    static_cast<void>(measured([&] {
      of->on_call(now);
      return 0;
    }));
  }
};

struct sums {
  std::uint64_t retries = 0, refused = 0, at_once = 0, after_retries = 0;

  void add(bool succeeded, bool was_refused, unsigned attempts) {
    retries += attempts - 1;
    refused += was_refused ? 1U : 0U;
    if (succeeded) ++(attempts == 1 ? at_once : after_retries);
  }
};

constexpr unsigned most_attempts = 3;

auto with(auto const& quota) {
  return anew::compose(quota, anew::constant_backoff{2ms}, anew::no_jitter{}, anew::max_attempts<most_attempts>{},
                       anew::retry_all{});
}

struct order {
  int calls = 0;
  unsigned percent = 0;  // of the attempts fail
  int has_budget = 0;
};

sums block(auto const& by, order what, std::mt19937& random) {
  sums all;
  for (int call = 0; call != what.calls; ++call) {
    auto const told = anew::retry_outcome(by, anew::idempotent([&] { return random() % 100 >= what.percent; }));
    all.add(told.succeeded(), told.reason() == anew::stop_reason::quota, told.attempts());
    if (call % 4 == 0) std::this_thread::sleep_for(1ms);
  }
  return all;
}

/// Four calls at a time, and a millisecond until the next four.
sums loop(auto const& by, order what, std::mt19937& random, books& turns) {
  namespace net = anew::net;
  sums all;
  net::io_context context;
  net::steady_timer pause{context};
  int begun = 0;
  auto const call = [&] {
    auto attempts = std::make_shared<unsigned>(0);
    anew::async_retry(
        by,
        [&, attempts](auto&& token) {
          ++*attempts;
          anew::net_error_code answer;
          if (random() % 100 < what.percent) answer = net::error::connection_reset;
          return net::post(context, net::append(std::forward<decltype(token)>(token), answer));
        },
        [&all, attempts](anew::net_error_code error) {
          all.add(!error, error && *attempts != most_attempts, *attempts);
        });
  };
  auto const begin = [&](auto const& again) -> void {
    for (int i = 0; i != 4 && begun != what.calls; ++i, ++begun) call();
    if (begun == what.calls) return;
    pause.expires_after(1ms);
    pause.async_wait([&again](anew::net_error_code) { again(again); });
  };
  begin(begin);
  while (turns.measured([&] { return context.run_one(); }) != 0) {
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  bool const loops = std::string_view{argv[4]} == "loop";
  anew::redis_bucket const bucket{{.name = argv[2],
                                   .port = static_cast<std::uint16_t>(std::atoi(argv[1])),
                                   .capacity = 500,
                                   .first = 500,
                                   .patience = 100ms}};
  is_built = true;
  std::mt19937 random{static_cast<std::uint32_t>(std::atoi(argv[3]))};
  char line[64];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    order what;
    if (std::sscanf(line, "%d %u %d", &what.calls, &what.percent, &what.has_budget) != 3) return 2;
    books decisions;
    books turns;
    auto const exchanged = bucket.exchanges();
    auto const lost = bucket.lost_exchanges();
    auto const make_calls = [&](auto const& by) {
      return loops ? loop(by, what, random, turns) : block(by, what, random);
    };
    auto const all =
        what.has_budget != 0 ? make_calls(with(timed{&bucket, &decisions})) : make_calls(with(anew::unlimited_quota{}));
    std::printf(
        "{\"calls\": %d, \"retries\": %llu, \"refused\": %llu, \"at_once\": %llu, \"after_retries\": %llu, "
        "\"exchanges\": %llu, \"lost\": %llu, \"away\": %s, \"decision\": %llu, \"turn\": %llu, \"longest\": %llu, "
        "\"can_wait\": %d, \"made\": %d}\n",
        what.calls, static_cast<unsigned long long>(all.retries), static_cast<unsigned long long>(all.refused),
        static_cast<unsigned long long>(all.at_once), static_cast<unsigned long long>(all.after_retries),
        static_cast<unsigned long long>(bucket.exchanges() - exchanged),
        static_cast<unsigned long long>(bucket.lost_exchanges() - lost), bucket.is_away() ? "true" : "false",
        static_cast<unsigned long long>(decisions.quantile(0.999)),
        static_cast<unsigned long long>(turns.quantile(0.999)), static_cast<unsigned long long>(turns.longest()),
        can_wait, made);
    std::fflush(stdout);
  }
  return 0;
}
