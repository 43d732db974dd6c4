// SPDX-License-Identifier: BSL-1.0
// A time limit ends an attempt, whatever the server does and withholds, over every bridge.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bridges/verdict.hpp"
#include "listening.hpp"
#include "pinned.hpp"
#include "scripted_peer.hpp"

namespace {

using namespace std::chrono_literals;
namespace peer = support::peer;
using bridges::verdict;

// What the documents promise: an attempt ends within its limit and this.
constexpr auto promised = 50ms;
constexpr auto limit = 100ms;
// A loaded machine runs nobody for a while, now and then. A bridge that is late is late every time.
constexpr int tries = 20;
constexpr auto hopeless = 2s;

struct bridge {
  char const* name;
  verdict (*ask)(bridges::call const&);
  bool speaks_tls;
};
constexpr bridge all_bridges[] = {
    {"libcurl, easy", bridges::over_curl_easy, true},
    {"libcurl, multi", bridges::over_curl_multi, true},
    {"Boost.Beast", bridges::over_beast, false},
};

struct way_not_to_end {
  char const* name;
  support::peer_script script;
  bridges::call call{};
};

std::string const ok = "HTTP/1.1 200 OK\r\n";
std::string const chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";

support::peer_script after_the_request(support::peer_step step) { return {peer::read_request(), std::move(step)}; }
support::peer_script after_the_request(std::string begins, support::peer_step step) {
  return {peer::read_request(), peer::send(std::move(begins)), std::move(step)};
}

bridges::call const unlimited_body{.drops_the_body = true};
bridges::call const upload{.method = "POST", .payload = 32UL * 1024 * 1024};
bridges::call const over_tls{.is_over_tls = true};

std::vector<way_not_to_end> ways() {
  using peer::drip_for_ever;
  using peer::flood;
  return {
      {"silence", after_the_request(peer::silence())},
      {"silence, the request unread", {peer::wait()}},
      {"silence, an upload unread", {peer::wait()}, upload},
      {"an upload read byte by byte", {peer::read_bytes(100), peer::wait()}, upload},
      {"silence in a head", after_the_request(ok, peer::silence())},
      {"silence in a body", after_the_request(ok + "Content-Length: 9\r\n\r\nhello", peer::silence())},
      {"silence in a chunk", after_the_request(chunked + "5\r\nhel", peer::silence())},
      {"silence in trailers", after_the_request(chunked + "0\r\nA: ", peer::silence())},
      {"silence behind 100", after_the_request("HTTP/1.1 100 X\r\n\r\n", peer::silence())},
      {"a status line byte by byte", after_the_request("HTTP/1.1 200 ", drip_for_ever("x", 10ms))},
      {"a head byte by byte", after_the_request(ok, drip_for_ever("X: y\r\n", 10ms))},
      {"a body byte by byte", after_the_request(ok + "Content-Length: 99999\r\n\r\n", drip_for_ever("x", 10ms))},
      {"chunks byte by byte", after_the_request(chunked, drip_for_ever("1\r\nx\r\n", 10ms))},
      {"trailers byte by byte", after_the_request(chunked + "0\r\n", drip_for_ever("X: y\r\n", 10ms))},
      {"answers of 1xx byte by byte", after_the_request(drip_for_ever("HTTP/1.1 103 X\r\n\r\n", 1ms))},
      {"a flood of 100", after_the_request(flood("HTTP/1.1 100 Continue\r\n\r\n"))},
      {"a flood of 103 with fields", after_the_request(flood("HTTP/1.1 103 X\r\nLink: a\r\n\r\n"))},
      {"an endless status line", after_the_request("HTTP/1.1 200 ", flood("x"))},
      {"an endless field", after_the_request(ok + "X: ", flood("x"))},
      {"endless fields", after_the_request(ok, flood("X: y\r\n"))},
      {"an endless body", after_the_request(ok + "\r\n", flood("hello"))},
      {"an endless body of chunks", after_the_request(chunked, flood("5\r\nhello\r\n"))},
      {"an endless body, unlimited", after_the_request(chunked, flood("1\r\nx\r\n")), unlimited_body},
      {"an endless chunk extension", after_the_request(chunked + "5;a=", flood("b"))},
      {"endless chunk extensions", after_the_request(chunked, flood("1;aaaaaaaaaaaaaaaaaaaaaaaaaaaa=b\r\nx\r\n"))},
      {"an endless chunk size", after_the_request(chunked, flood("0"))},
      {"endless trailers", after_the_request(chunked + "0\r\n", flood("X: y\r\n"))},
      {"nothing but ends of lines", after_the_request(flood("\r\n"))},
      {"a handshake of TLS without an answer", {peer::silence()}, over_tls},
      {"a handshake of TLS byte by byte", {drip_for_ever("\x16\x03\x03\x3f\xff\x02", 10ms)}, over_tls},
  };
}

using milliseconds = std::chrono::duration<double, std::milli>;

/// By how much an attempt was late, at least. Below zero: something else ended it before.
milliseconds least_excess(bridge const& over, bridges::call const& c, verdict& last) {
  milliseconds least{1e9};
  for (int i = 0; i < tries; ++i) {
    last = over.ask(c);
    auto const attempts = c.limit == limit ? std::max(static_cast<int>(last.attempts), 1) : 1;
    auto const excess = milliseconds{last.took / attempts - limit};
    least = std::min(least, excess);
    if (least <= promised || excess > hopeless) break;
  }
  return least;
}

void expect_an_end(bridge const& over, char const* way, bridges::call const& c) {
  verdict last{};
  auto const excess = least_excess(over, c, last);
  std::printf("%-15s %-38s %+8.1f ms  %s [%s]\n", over.name, way, excess.count(), last.text().c_str(),
              last.detail.c_str());
  EXPECT_LE(excess, milliseconds{promised}) << over.name << ": " << way;
  EXPECT_NE(last.reading, "succeeded") << over.name << ": " << way;
  if (std::string_view{way}.starts_with("silence")) {  // a flood may end at a limit of bytes
    EXPECT_TRUE(last.reading.starts_with("timeout")) << over.name << ": " << way << ": " << last.text();
  }
}

class limits : public testing::TestWithParam<bridge> {};

void expect_ends(bridge const& over, char const* of, anew::duration attempt, anew::duration deadline) {
  for (auto const& way : ways()) {
    if (way.call.is_over_tls && !over.speaks_tls) continue;
    if (std::string{way.name}.find(of) == std::string::npos) continue;
    support::scripted_peer const there{{way.script}};
    auto c = way.call;
    c.port = there.port();
    c.limit = attempt;
    c.deadline = deadline;
    expect_an_end(over, way.name, c);
  }
}

TEST_P(limits, AnAttemptTimeoutEndsTheAttempt) { expect_ends(GetParam(), "", limit, anew::duration::max()); }
TEST_P(limits, ADeadlineEndsTheAttemptToo) { expect_ends(GetParam(), "silence", 1h, limit); }

/// A socket that listens and whose queue is full: Linux drops the next client's SYN.
struct full_queue : public support::pinned {
  full_queue() {
    for (int i = 0; i < 4; ++i) {
      clients_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      ::connect(clients_.back(), listening_.address(), sizeof(sockaddr_in));
    }
  }
  ~full_queue() {
    for (int const fd : clients_) ::close(fd);
  }
  [[nodiscard]] std::uint16_t port() const { return listening_.port(); }

 private:
  support::listening listening_{0};
  std::vector<int> clients_;
};

TEST_P(limits, AConnectionThatIsNotMadeIsNoDifferent) {
  full_queue const there;
  expect_an_end(GetParam(), "no connection", {.port = there.port(), .limit = limit});
}

INSTANTIATE_TEST_SUITE_P(over, limits, testing::ValuesIn(all_bridges), [](auto const& one) {
  std::string name{one.param.name};
  std::erase_if(name, [](char c) { return std::string_view{" ,."}.find(c) != std::string_view::npos; });
  return name;
});

}  // namespace
