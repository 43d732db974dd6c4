// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_HTTP2_PEER_HPP
#define ANEW_TESTS_SUPPORT_HTTP2_PEER_HPP

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "listening.hpp"
#include "pinned.hpp"

/// A peer that speaks the frames of HTTP/2 (RFC 9113), in plain text, on the loopback interface.
namespace support {

/// A request that came whole. Its fields stay compressed: a test knows it by its body.
struct http2_request {
  std::size_t connection = 0;  ///< in the order of acceptance, from 1
  std::uint32_t stream = 0;    ///< 1, 3, 5, ... on its connection
  std::size_t total = 0;       ///< at the peer, from 1
  std::string body;
};

/// What the peer does with a request.
enum class http2_reaction {
  answers,            ///< executes it: 200 with the body "hello"
  refuses,            ///< RST_STREAM with REFUSED_STREAM
  goes_before,        ///< GOAWAY whose last stream is the one before, and closes
  refuses_by_goaway,  ///< the same, and closes when the client does
  announces,          ///< executes it and answers, with GOAWAY, and closes when the client does
  answers_and_goes,   ///< executes it and answers; then GOAWAY, and it closes
  breaks,             ///< executes it, and RST_STREAM with INTERNAL_ERROR
  calms,              ///< RST_STREAM with ENHANCE_YOUR_CALM
  dies,               ///< executes it, and closes without an answer
  waits,              ///< executes it, and never answers
};

/// Serves from a thread for each connection, on 127.0.0.1 at a port that the kernel chose. `react` is called by all of them.
class http2_peer : pinned {
 public:
  explicit http2_peer(std::function<http2_reaction(http2_request const&)> react) : react_{std::move(react)} {
    thread_ = std::thread{[this] { accept(); }};
  }
  ~http2_peer() {
    ::shutdown(acceptor_.file, SHUT_RDWR);
    thread_.join();
    for (auto& one : clients_) ::shutdown(one.socket, SHUT_RDWR);
    for (auto& one : clients_) {
      one.thread.join();
      ::close(one.socket);
    }
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return acceptor_.port(); }
  [[nodiscard]] std::size_t connections() const {
    std::lock_guard const lock{mutex_};
    return clients_.size();
  }
  /// How often each body came, and how often it was executed.
  [[nodiscard]] std::map<std::string, unsigned> arrived() const {
    std::lock_guard const lock{mutex_};
    return arrived_;
  }
  [[nodiscard]] std::map<std::string, unsigned> executed() const {
    std::lock_guard const lock{mutex_};
    return executed_;
  }
  [[nodiscard]] std::size_t total() const {
    std::lock_guard const lock{mutex_};
    return total_;
  }

 private:
  struct client {
    int socket = -1;
    std::size_t number = 0;
    std::thread thread{};
    std::map<std::uint32_t, std::string> bodies{};
  };
  enum frame : std::uint8_t { data = 0, headers = 1, rst_stream = 3, settings = 4, ping = 6, goaway = 7, window = 8 };
  static constexpr unsigned ends_stream = 1;
  static constexpr unsigned ends_headers = 4;
  static constexpr unsigned is_acknowledged = 1;

  void accept() {
    for (;;) {
      int const socket = ::accept(acceptor_.file, nullptr, nullptr);
      if (socket < 0) return;
      int const on = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      std::lock_guard const lock{mutex_};
      auto& one = clients_.emplace_back();
      one.socket = socket;
      one.number = clients_.size();
      one.thread = std::thread{[this, &one] {
        serve(one);
        ::shutdown(one.socket, SHUT_RDWR);
      }};
    }
  }
  static bool read(client& c, std::string& into, std::size_t size) {
    into.resize(size);
    for (std::size_t at = 0; at < size;) {
      auto const got = ::recv(c.socket, into.data() + at, size - at, 0);
      if (got <= 0) return false;
      at += static_cast<std::size_t>(got);
    }
    return true;
  }
  static std::string number(std::uint32_t value, int bytes = 4) {
    std::string text;
    for (int i = bytes - 1; i >= 0; --i) text.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
    return text;
  }
  static std::uint32_t read_number(std::string_view text) {
    std::uint32_t value = 0;
    for (char const c : text) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  static std::string framed(frame type, unsigned flags, std::uint32_t stream, std::string const& payload) {
    std::string text = number(static_cast<std::uint32_t>(payload.size()), 3);
    text.push_back(static_cast<char>(type));
    text.push_back(static_cast<char>(flags));
    return text + number(stream) + payload;
  }
  static void send(client& c, std::string const& text) {
    [[maybe_unused]] auto const sent = ::send(c.socket, text.data(), text.size(), MSG_NOSIGNAL);
  }
  void serve(client& c) {
    std::string head;
    std::string payload;
    if (!read(c, payload, std::string_view{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"}.size())) return;
    send(c, framed(settings, 0, 0, ""));
    while (read(c, head, 9)) {
      auto const type = static_cast<frame>(head[3]);
      auto const flags = static_cast<unsigned>(head[4]);
      auto const stream = read_number(std::string_view{head}.substr(5)) & 0x7fffffffU;
      if (!read(c, payload, read_number(std::string_view{head}.substr(0, 3)))) return;
      if (type == settings && (flags & is_acknowledged) == 0) send(c, framed(settings, is_acknowledged, 0, ""));
      if (type == ping && (flags & is_acknowledged) == 0) send(c, framed(ping, is_acknowledged, 0, payload));
      if (type == data) {
        c.bodies[stream] += payload;
        if (!payload.empty()) send(c, framed(window, 0, 0, number(static_cast<std::uint32_t>(payload.size()))));
      }
      if ((type == data || type == headers) && (flags & ends_stream) != 0 && !react(c, stream)) return;
    }
  }
  /// False when the connection is over.
  bool react(client& c, std::uint32_t stream) {
    http2_request request{c.number, stream, 0, std::move(c.bodies[stream])};
    c.bodies.erase(stream);
    {
      std::lock_guard const lock{mutex_};
      request.total = ++total_;
      ++arrived_[request.body];
    }
    using enum http2_reaction;
    auto const what = react_(request);
    if (what != refuses && what != goes_before && what != refuses_by_goaway && what != calms) {
      std::lock_guard const lock{mutex_};
      ++executed_[request.body];
    }
    std::string const no_error = number(0);
    // ":status: 200" and "content-length: 5", as RFC 7541 has them in its table
    auto const answer = framed(headers, ends_headers, stream, {'\x88', '\x0f', '\x0d', '\x01', '5'}) +
                        framed(data, ends_stream, stream, "hello");
    switch (what) {
      case answers: send(c, answer); return true;
      case refuses: send(c, framed(rst_stream, 0, stream, number(7))); return true;
      case breaks: send(c, framed(rst_stream, 0, stream, number(2))); return true;
      case calms: send(c, framed(rst_stream, 0, stream, number(11))); return true;
      case goes_before:
      case refuses_by_goaway:
        send(c, framed(goaway, 0, 0, number(stream < 2 ? 0 : stream - 2) + no_error));
        return what == refuses_by_goaway;
      case announces: send(c, framed(goaway, 0, 0, number(stream) + no_error) + answer); return true;
      case answers_and_goes: send(c, answer + framed(goaway, 0, 0, number(stream) + no_error)); return false;
      case dies: return false;
      case waits: return true;
    }
    return false;
  }

  std::function<http2_reaction(http2_request const&)> react_;
  listening acceptor_;
  mutable std::mutex mutex_;
  std::list<client> clients_;
  std::map<std::string, unsigned> arrived_;
  std::map<std::string, unsigned> executed_;
  std::size_t total_ = 0;
  std::thread thread_;
};

}  // namespace support

#endif
