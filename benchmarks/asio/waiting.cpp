// SPDX-License-Identifier: BSL-1.0
#include <malloc.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <boost/asio.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

/// What many calls take that wait for their second attempt on one loop:
///   waiting CALLS...
/// Prints a line for each number of calls: the calls, bytes a call, nanoseconds of a processor until a call waits.
namespace {

using namespace std::chrono_literals;
namespace net = boost::asio;
using error_code = boost::system::error_code;

struct refused {
  net::io_context* loop;
  template <class Token>
  auto operator()(Token&& token) const {
    return net::async_initiate<Token, void(error_code)>(
        [where = loop](auto handler) {
          net::post(*where, net::append(std::move(handler), error_code{net::error::connection_refused}));
        },
        token);
  }
};

anew::strategy<anew::retry_all, anew::constant_backoff<1h>, anew::no_jitter, anew::max_attempts<3>,
               anew::token_bucket<4'294'967'295>> const strategy{};

std::uint64_t memory() {
  auto const of = ::mallinfo2();
  return of.uordblks + of.hblkhd;
}
double nanoseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    auto const calls = std::strtoull(argv[i], nullptr, 10);
    if (calls == 0) {
      std::fprintf(stderr, "waiting: '%s' is no number of calls\n", argv[i]);
      return 2;
    }
    net::io_context loop;
    auto const before = memory();
    auto const begin = nanoseconds();
    for (std::uint64_t call = 0; call != calls; ++call) {
      anew::async_retry(strategy, refused{&loop}, net::bind_executor(loop.get_executor(), [](error_code const&) {}));
      loop.poll();  // the first attempt fails, and the timer waits
    }
    auto const taken = (nanoseconds() - begin) / static_cast<double>(calls);
    std::printf("%llu,%.0f,%.0f\n", calls, static_cast<double>(memory() - before) / static_cast<double>(calls), taken);
    std::fflush(stdout);
  }
  return 0;
}
