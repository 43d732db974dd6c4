// SPDX-License-Identifier: BSL-1.0
// Where a connection goes when its name moves: real sockets, and a resolver of the test's.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "anew/bridges/redis/internal/socket.hpp"
#include "anew/bridges/redis/redis_settings.hpp"

#include "listening.hpp"
#include "process_support.hpp"
#include "sanitized.hpp"

namespace redis_socket_test {
namespace {

using anew::detail::addresses_found;
using anew::detail::connecting;
using anew::detail::redis_socket;

/// A server that accepts connections, and tells how many there were.
struct listener : support::listening {
  anew::detail::socket_address at{};

  listener() {
    at.size = sizeof(sockaddr_in);
    std::memcpy(&at.where, address(), at.size);
    EXPECT_EQ(::fcntl(file, F_SETFL, O_NONBLOCK), 0);
  }
  [[nodiscard]] int accepted() const {
    int count = 0;
    for (int one = 0; (one = ::accept(file, nullptr, nullptr)) >= 0; ++count) ::close(one);
    return count;
  }
};

/// What the resolver of the test says, and how often it was asked for a name.
struct names {
  static inline listener const* points_to = nullptr;  ///< null: the name is not known
  static inline std::atomic<bool> is_slow{false};
  static inline std::atomic<int> asked{0};

  static addresses_found resolve(std::string const& host, std::uint16_t port, int flags) {
    if (flags == AI_NUMERICHOST) return anew::detail::resolve(host, port, AI_NUMERICHOST);
    ++asked;
    while (is_slow) std::this_thread::yield();
    return points_to != nullptr ? addresses_found{{points_to->at}, 0} : addresses_found{{}, EAI_NONAME};
  }
};

redis_socket to(char const* host) {
  anew::redis_settings by;
  by.host = host;
  return redis_socket{by, names::resolve};
}
connecting connect(redis_socket& by, bool has_time) {
  EXPECT_TRUE(by.connect());
  for (;;) {
    auto const found = by.progress(has_time);
    if (found == connecting::done || found == connecting::failed) return found;
    std::this_thread::yield();
  }
}

TEST(RedisSocket, GoesWhereItsNameHasMoved) {
  listener const old;
  listener const fresh;
  names::points_to = &old;
  names::asked = 0;
  auto socket = to("redis.test");
  EXPECT_EQ(connect(socket, true), connecting::done);
  EXPECT_EQ(old.accepted(), 1);
  EXPECT_EQ(names::asked, 1) << "the constructor's answer is new enough for the first connection";
  socket.close();
  names::points_to = &fresh;
  EXPECT_EQ(connect(socket, true), connecting::done);
  EXPECT_EQ(old.accepted(), 0);
  EXPECT_EQ(fresh.accepted(), 1) << "the next connection";
  socket.close();
  names::points_to = nullptr;
  EXPECT_EQ(connect(socket, true), connecting::done) << "a resolver that is away takes nothing from what is known";
  EXPECT_EQ(fresh.accepted(), 1);
  EXPECT_EQ(socket.error(), std::string{"the name cannot be resolved again: "} + ::gai_strerror(EAI_NONAME));
}

TEST(RedisSocket, WaitsForNoResolver) {
  listener const old;
  listener const fresh;
  names::points_to = &old;
  auto socket = to("redis.test");
  EXPECT_EQ(connect(socket, true), connecting::done);
  socket.close();
  names::is_slow = true;
  names::points_to = &fresh;
  names::asked = 0;
  EXPECT_TRUE(socket.connect());
  for (int look = 0; look != 1'000; ++look) EXPECT_EQ(socket.progress(true), connecting::pending);
  EXPECT_EQ(socket.progress(false), connecting::advanced) << "the time is over: to what is known";
  socket.close();
  EXPECT_EQ(connect(socket, false), connecting::done);
  EXPECT_EQ(old.accepted(), 3);
  socket.close();
#if !ANEW_TEST_UNDER_TSAN   // which starts no thread in such a child
  auto const moves = [&] {  // the child has no such thread, and neither waits for it nor is stopped by it
    names::is_slow = false;
    bool const is_there = [own = socket.leave()]() mutable { return connect(own, true) == connecting::done; }();
    return is_there && names::asked >= 1 && fresh.accepted() == 1 ? 0 : 1;
  };
  EXPECT_EQ(support::in_a_child(moves), 0);
#endif
  names::is_slow = false;
  EXPECT_EQ(connect(socket, true), connecting::done);
  EXPECT_EQ(fresh.accepted(), 1);
  EXPECT_LE(names::asked, 2) << "one look-up at a time";
}

TEST(RedisSocket, TellsAnEndFromSilence) {
  listener const there;
  names::points_to = &there;
  auto socket = to("redis.test");
  EXPECT_EQ(connect(socket, true), connecting::done);
  char byte = 0;
  EXPECT_EQ(socket.receive(&byte, 1), 0);
  EXPECT_EQ(there.accepted(), 1) << "and closed";
  std::ptrdiff_t size = 0;
  while (size == 0) size = socket.receive(&byte, 1);
  EXPECT_EQ(size, -1);
  socket.close();
  EXPECT_EQ(socket.receive(&byte, 1), -1) << "an error of the system";
}

TEST(RedisSocket, LooksNoAddressUpAgain) {
  names::asked = 0;
  for (char const* const host : {"127.0.0.1", "::1", "/nowhere/redis.sock"}) {
    auto socket = to(host);
    for (int n = 0; n != 3; ++n) {
      static_cast<void>(socket.connect());
      static_cast<void>(socket.progress(true));
      socket.close();
    }
  }
  EXPECT_EQ(names::asked, 0);
}

}  // namespace
}  // namespace redis_socket_test
