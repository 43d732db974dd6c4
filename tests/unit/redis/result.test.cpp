// SPDX-License-Identifier: BSL-1.0
// What error replies mean, and a connection that is not there. tests/redis has a server.
#include <hiredis/hiredis.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/bridges/redis/internal/with_hiredis.hpp"
#include "anew/redis.hpp"

namespace redis_result_test {
namespace {

using namespace std::chrono_literals;
using anew::error_kind;
using anew::retry_safety;

struct frees {
  void operator()(redisContext* one) const { redisFree(one); }
};
using connection = std::unique_ptr<redisContext, frees>;

anew::redis::result reply(std::string const& wire) {
  connection const nobody{redisConnect("127.0.0.1", 1)};
  std::unique_ptr<redisReader, decltype(&redisReaderFree)> const reader{redisReaderCreate(), &redisReaderFree};
  redisReaderFeed(reader.get(), wire.data(), wire.size());
  void* made = nullptr;
  redisReaderGetReply(reader.get(), &made);
  return {nobody.get(), made};
}

struct row {
  char const* wire;
  retry_safety safety;
  error_kind kind = error_kind::transient;
};
row const rows[]{
    {"-LOADING Redis is loading the dataset in memory\r\n", retry_safety::yes, error_kind::throttling},
    {"-BUSY Redis is busy running a script.\r\n", retry_safety::yes, error_kind::throttling},
    {"-OOM command not allowed when used memory > 'maxmemory'.\r\n", retry_safety::yes, error_kind::throttling},
    {"-READONLY You can't write against a read only replica.\r\n", retry_safety::yes},
    {"-MASTERDOWN Link with MASTER is down\r\n", retry_safety::yes},
    {"-CLUSTERDOWN The cluster is down\r\n", retry_safety::yes},
    {"-TRYAGAIN Multiple keys request during rehashing of slot\r\n", retry_safety::yes},
    {"-NOREPLICAS Not enough good replicas to write.\r\n", retry_safety::yes},
    {"-OOM command not allowed script: 5dc8, on @user_script:1.\r\n", retry_safety::maybe, error_kind::throttling},
    {"-MOVED 3999 127.0.0.1:6381\r\n", retry_safety::no},
    {"-ASK 3999 127.0.0.1:6381\r\n", retry_safety::no},
    {"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", retry_safety::no},
    {"-BUSYKEY Target key name already exists.\r\n", retry_safety::no},
    {"-LOADING\r\n", retry_safety::yes, error_kind::throttling},
    {"-ERR max number of clients reached\r\n", retry_safety::yes, error_kind::throttling},
};

TEST(RedisResult, MeansWhatItsFirstWordSays) {
  for (auto const& r : rows) {
    auto const made = reply(r.wire);
    auto const read = anew::read_failure(made);
    EXPECT_FALSE(made.has_value());
    EXPECT_EQ(read.safety, r.safety) << r.wire;
    EXPECT_EQ(read.kind, r.kind) << r.wire;
    EXPECT_EQ("-" + made.message() + "\r\n", r.wire);
  }
  for (auto const* wire : {"+OK\r\n", ":1\r\n", "$-1\r\n", "*0\r\n"}) EXPECT_TRUE(reply(wire).has_value()) << wire;
}

TEST(RedisResult, IsNotSentWithoutAConnection) {
  connection const nobody{redisConnect("127.0.0.1", 1)};
  auto const end = anew::retry_outcome(anew::strategy<anew::no_backoff>{}, [&](anew::attempt& self) {
    return anew::redis::execute(nobody.get(), self, "PING");
  });
  EXPECT_EQ(end.reason(), anew::stop_reason::attempts);
  EXPECT_EQ(end.attempts(), 3U);
  EXPECT_EQ(end.result().message(), "Connection refused");
}

TEST(RedisResult, HasTheLimitOfItsAttempt) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  ::close(ends[0]);
  connection const to_nobody{redisConnectFd(ends[1])};
  anew::attempt const self{anew::attempt::parts{.limit = 3200ms}};
  EXPECT_FALSE(anew::redis::execute(to_nobody.get(), self, "PING").has_value());
  timeval limit{};
  socklen_t size = sizeof(limit);
  ASSERT_EQ(::getsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, &size), 0);
  EXPECT_EQ(limit.tv_sec, 3);
  EXPECT_EQ(limit.tv_usec, 200'000);
}
// A std::string would be sent as the bytes of its own pointer, without a word of the compiler.
using anew::redis::detail::are_read_by_hiredis;
static_assert(are_read_by_hiredis<> && are_read_by_hiredis<char const*, int, double, std::size_t, unsigned char*>);
static_assert(!are_read_by_hiredis<std::string> && !are_read_by_hiredis<int, std::string_view>);

TEST(RedisResult, NoSignalOfABrokenConnectionReachesTheProgram) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  EXPECT_EQ(anew::redis::detail::without_sigpipe([&] { return ::write(ends[1], "x", 1); }), -1);
  ::close(ends[1]);
}

}  // namespace
}  // namespace redis_result_test
