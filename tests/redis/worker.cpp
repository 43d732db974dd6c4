// SPDX-License-Identifier: BSL-1.0
// A process of a fleet that shares a bucket on a real Redis: it makes calls as it is told, one order a line, and tells what
// became of them. Of the system calls that a bucket may make it counts those that could wait.
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "anew/anew.hpp"
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

/// The bucket, with a clock at each of its functions.
struct timed {
  using role = anew::roles::quota;
  using permit_type = anew::redis_bucket::permit_type;
  struct books {
    std::uint64_t by_size[64] = {};
    std::uint64_t calls = 0;
  };
  anew::redis_bucket const* of;
  books* in;

  template <class F>
  auto measured(F const& f) const {
    auto const begun = std::chrono::steady_clock::now();
    auto const answer = f();
    auto const took = static_cast<std::uint64_t>((std::chrono::steady_clock::now() - begun).count());
    ++in->by_size[std::bit_width(took)];
    ++in->calls;
    return answer;
  }
  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& what, anew::time_point now) const {
    return measured([&] { return of->try_acquire(what, now); });
  }
  [[nodiscard]] anew::admission<permit_type> settle(permit_type held, anew::time_point now) const {
    return measured([&] { return of->settle(held, now); });
  }
  void on_success(permit_type held) const { of->on_success(held); }
  void release(permit_type held) const { of->release(held); }
  [[nodiscard]] bool on_call() const { return of->on_call(); }
  void on_call(anew::time_point now) const {
    static_cast<void>(measured([&] {
      of->on_call(now);
      return 0;
    }));
  }
};

std::uint64_t upper_edge(timed::books const& in, double share) {
  auto const wanted = static_cast<std::uint64_t>(share * static_cast<double>(in.calls));
  std::uint64_t seen = 0;
  for (unsigned i = 0; i != 64; ++i) {
    seen += in.by_size[i];
    if (seen > wanted) return std::uint64_t{1} << i;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  anew::redis_bucket const bucket{{.name = argv[2],
                                   .port = static_cast<std::uint16_t>(std::atoi(argv[1])),
                                   .capacity = 500,
                                   .first = 500,
                                   .patience = 100ms}};
  is_built = true;
  std::mt19937 random{static_cast<std::uint32_t>(std::atoi(argv[3]))};
  char line[64];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    int calls = 0;
    unsigned percent = 0;
    if (std::sscanf(line, "%d %u", &calls, &percent) != 2) return 2;
    timed::books books{};
    auto const by = anew::compose(timed{&bucket, &books}, anew::constant_backoff{2ms}, anew::no_jitter{},
                                  anew::max_attempts<3>{}, anew::retry_all{});
    auto const exchanged = bucket.exchanges();
    auto const lost = bucket.lost_exchanges();
    std::uint64_t retries = 0;
    std::uint64_t refused = 0;
    std::uint64_t at_once = 0;
    std::uint64_t after_retries = 0;
    for (int call = 0; call != calls; ++call) {
      auto const told = anew::retry_outcome(by, anew::idempotent([&] { return random() % 100 >= percent; }));
      retries += told.attempts() - 1;
      refused += told.reason() == anew::stop_reason::quota ? 1U : 0U;
      if (told.succeeded()) ++(told.attempts() == 1 ? at_once : after_retries);
      if (call % 4 == 0) std::this_thread::sleep_for(1ms);
    }
    std::printf(
        "{\"calls\": %d, \"retries\": %llu, \"refused\": %llu, \"at_once\": %llu, \"after_retries\": %llu, "
        "\"exchanges\": %llu, \"lost\": %llu, \"away\": %s, \"p999\": %llu, \"can_wait\": %d, \"made\": %d}\n",
        calls, static_cast<unsigned long long>(retries), static_cast<unsigned long long>(refused),
        static_cast<unsigned long long>(at_once), static_cast<unsigned long long>(after_retries),
        static_cast<unsigned long long>(bucket.exchanges() - exchanged),
        static_cast<unsigned long long>(bucket.lost_exchanges() - lost), bucket.is_away() ? "true" : "false",
        static_cast<unsigned long long>(upper_edge(books, 0.999)), can_wait, made);
    std::fflush(stdout);
  }
  return 0;
}
