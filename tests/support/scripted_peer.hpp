// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_SCRIPTED_PEER_HPP
#define ANEW_TESTS_SUPPORT_SCRIPTED_PEER_HPP

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "listening.hpp"
#include "pinned.hpp"

/// A TCP peer on the loopback interface that does byte for byte what a script says.
namespace support {

/// A request that the peer has read to its last byte, and so has executed.
struct peer_request {
  std::size_t connection = 0;  ///< in the order of acceptance, from 1
  std::size_t number = 0;      ///< on its connection, from 1
  std::size_t total = 0;       ///< at the peer, from 1
  std::string method;
  std::string target;
  std::string head;  ///< the request line and the fields, with the blank line
  std::string body;
};

struct peer_step;
using peer_script = std::vector<peer_step>;

/// One step of a connection's script. The functions in `peer` make it.
struct peer_step {
  enum class kind { read_request, read_bytes, send, flood, drip, choose, wait, silence, finish, close, reset, again };
  kind what = kind::close;
  std::string text{};
  std::size_t bytes = 0;
  std::chrono::milliseconds every{};
  std::function<peer_script(peer_request const&)> choice{};
};

namespace peer {

/// Reads one whole request and counts it as executed.
inline peer_step read_request() { return {peer_step::kind::read_request}; }
/// Reads that many bytes and leaves the rest unread. It executes nothing.
inline peer_step read_bytes(std::size_t count) { return {peer_step::kind::read_bytes, {}, count}; }
inline peer_step send(std::string text) { return {peer_step::kind::send, std::move(text)}; }
/// Sends the text again and again, as fast as the other side reads, until it goes.
inline peer_step flood(std::string text) { return {peer_step::kind::flood, std::move(text)}; }
/// Sends the text byte by byte, again and again until the other side goes.
inline peer_step drip_for_ever(std::string text, std::chrono::milliseconds every) {
  return {peer_step::kind::drip, std::move(text), 0, every};
}
/// Goes on with the steps that this returns for the last request, and then with what follows here.
inline peer_step choose(std::function<peer_script(peer_request const&)> choice) {
  return {peer_step::kind::choose, {}, 0, {}, std::move(choice)};
}
/// Neither reads nor says anything.
inline peer_step wait() { return {peer_step::kind::wait}; }
/// Reads what comes and says nothing, until the other side goes.
inline peer_step silence() { return {peer_step::kind::silence}; }
/// Ends its direction in good order (FIN) and reads what comes until the other side goes. No RST follows, whatever is unread.
inline peer_step finish() { return {peer_step::kind::finish}; }
/// Closes as a process does that ends: FIN, or RST where bytes are unread or still come.
inline peer_step close() { return {peer_step::kind::close}; }
/// Closes with RST. What was sent before may be read first.
inline peer_step reset() { return {peer_step::kind::reset}; }
/// Begins the connection's script again: the connection is kept.
inline peer_step again() { return {peer_step::kind::again}; }

}  // namespace peer

/// Serves from one thread, on 127.0.0.1 at a port that the kernel chose. Connection n follows what `script_of(n)` returns;
/// a script that ends closes its connection.
///
///     scripted_peer there{{{peer::read_request(), peer::send("HTTP/1.1 200 OK\r\n\r\n"), peer::reset()}}};
///
/// A script's functions run on the peer's thread. Any thread may call any member; the destructor closes what is open.
struct scripted_peer : public pinned {
  using clock = std::chrono::steady_clock;

  explicit scripted_peer(std::function<peer_script(std::size_t)> script_of) : script_of_{std::move(script_of)} {
    if (::pipe(pipe_.data()) != 0) throw std::system_error{errno, std::generic_category(), "scripted_peer"};
    never_block(acceptor_.file);
    thread_ = std::thread{[this] { serve(); }};
  }
  /// Connection n gets the n-th script, later ones the last.
  explicit scripted_peer(std::vector<peer_script> scripts)
      : scripted_peer{[list = std::move(scripts)](std::size_t number) {
          return list.empty() ? peer_script{} : list[std::min(number, list.size()) - 1];
        }} {}
  ~scripted_peer() {
    locked([this] { is_over_ = true; });
    [[maybe_unused]] auto const written = ::write(pipe_[1], "", 1);
    thread_.join();
    for (auto const& one : clients_) ::close(one->socket);
    for (auto const fd : pipe_) ::close(fd);
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return acceptor_.port(); }
  [[nodiscard]] std::string url(std::string_view target = "/") const {
    return std::string{"http://127.0.0.1:"}.append(std::to_string(port())).append(target);
  }

  /// How many connections were accepted.
  [[nodiscard]] std::size_t connections() const {
    return locked([this] { return accepted_; });
  }
  /// How many requests were read whole.
  [[nodiscard]] std::size_t executed() const { return requests().size(); }
  [[nodiscard]] std::size_t executed(std::string_view target) const {
    auto const all = requests();
    auto const same = [&](peer_request const& r) { return r.target == target; };
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), same));
  }
  [[nodiscard]] std::vector<peer_request> requests() const {
    return locked([this] { return requests_; });
  }

 private:
  struct client {
    int socket = -1;
    std::size_t number = 0;
    peer_script script{};
    peer_script from_the_start{};
    std::size_t at = 0;
    std::size_t done = 0;  // bytes of the current step
    std::size_t requests = 0;
    std::string unread{};
    peer_request last{};
    clock::time_point next_byte{};
    clock::time_point due = clock::time_point::max();  // when the step goes on by itself
    short events = 0;                                  // of the socket that the step waits for
    bool is_shut = false;
  };
  enum class step_ends { goes_on, blocks, is_over };

  static void never_block(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }
  auto locked(auto const& action) const -> decltype(action()) {
    std::lock_guard const lock{mutex_};
    return action();
  }

  void serve() {
    std::vector<pollfd> watched;
    for (;;) {
      watched.assign({{pipe_[0], POLLIN, 0}, {acceptor_.file, POLLIN, 0}});
      auto due = clock::time_point::max();
      for (auto const& one : clients_) {
        watched.push_back({one->socket, one->events, 0});
        due = std::min(due, one->due);
      }
      ::poll(watched.data(), watched.size(), milliseconds_to(due));
      if (locked([this] { return is_over_; })) return;
      auto one = clients_.begin();
      for (std::size_t i = 2; i < watched.size(); ++i) {
        bool const is_gone = (watched[i].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0 && (*one)->events == 0;
        if (is_gone || !run(**one)) {
          ::close((*one)->socket);
          one = clients_.erase(one);
        } else {
          ++one;
        }
      }
      if (watched[1].revents != 0) accept();
    }
  }
  void accept() {
    for (;;) {
      int const fd = ::accept(acceptor_.file, nullptr, nullptr);
      if (fd < 0) return;
      never_block(fd);
      int const on = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      auto one = std::make_unique<client>();
      one->socket = fd;
      locked([&] { one->number = ++accepted_; });
      one->from_the_start = script_of_(one->number);
      one->script = one->from_the_start;
      if (run(*one)) {
        clients_.push_back(std::move(one));
      } else {
        ::close(one->socket);
      }
    }
  }
  static int milliseconds_to(clock::time_point due) {
    if (due == clock::time_point::max()) return -1;
    auto const left = std::chrono::ceil<std::chrono::milliseconds>(due - clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
  }

  // False when the connection is over.
  bool run(client& c) {
    while (c.at < c.script.size()) {
      c.events = 0;
      c.due = clock::time_point::max();
      auto const how = run_step(c, c.script[c.at]);
      if (how == step_ends::is_over) return false;
      if (how == step_ends::blocks) return true;
    }
    return false;
  }
  step_ends next(client& c) {
    ++c.at;
    c.done = 0;
    return step_ends::goes_on;
  }
  step_ends begin(client& c, peer_script script) {
    c.script = std::move(script);
    c.at = c.done = 0;
    return step_ends::goes_on;
  }
  step_ends run_step(client& c, peer_step const& step) {
    using kind = peer_step::kind;
    switch (step.what) {
      case kind::read_request: return read_request(c);
      case kind::read_bytes: return read_bytes(c, step.bytes);
      case kind::send:
      case kind::flood: return send(c, step.text, step.what == kind::flood);
      case kind::drip: return drip(c, step);
      case kind::choose: return choose(c, step);
      case kind::wait: return step_ends::blocks;
      case kind::finish:
        if (!std::exchange(c.is_shut, true)) ::shutdown(c.socket, SHUT_WR);
        return read_bytes(c, std::string::npos);
      case kind::silence: return read_bytes(c, std::string::npos);  // until it is gone
      case kind::close: return step_ends::is_over;
      case kind::reset: {
        linger const at_once{1, 0};
        ::setsockopt(c.socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        return step_ends::is_over;
      }
      case kind::again: return begin(c, c.from_the_start);
    }
    std::abort();
  }

  static step_ends block_or_end(client& c, ssize_t received) {
    c.events = POLLIN;
    return received < 0 && (errno == EAGAIN || errno == EINTR) ? step_ends::blocks : step_ends::is_over;
  }
  step_ends read_request(client& c) {
    for (;;) {
      if (auto const size = size_of_request(c.unread); size > 0) {
        remember(c, size);
        return next(c);
      }
      std::array<char, 4096> part;
      auto const received = ::recv(c.socket, part.data(), part.size(), 0);
      if (received <= 0) return block_or_end(c, received);
      c.unread.append(part.data(), static_cast<std::size_t>(received));
    }
  }
  step_ends read_bytes(client& c, std::size_t wanted) {
    std::array<char, 4096> part;
    while (c.done < wanted) {
      auto const received = ::recv(c.socket, part.data(), std::min(part.size(), wanted - c.done), 0);
      if (received <= 0) return block_or_end(c, received);
      c.done += static_cast<std::size_t>(received);
    }
    return next(c);
  }
  step_ends send(client& c, std::string const& text, bool forever) {
    constexpr int turns = 64;  // then the other connections have theirs
    for (int turn = 0; turn < turns && (forever || c.done < text.size()); ++turn) {
      auto const at = forever ? c.done % text.size() : c.done;
      auto const sent = ::send(c.socket, text.data() + at, text.size() - at, MSG_NOSIGNAL);
      c.events = POLLOUT;
      if (sent < 0) return errno == EAGAIN || errno == EINTR ? step_ends::blocks : step_ends::is_over;
      c.done += static_cast<std::size_t>(sent);
    }
    if (!forever && c.done >= text.size()) return next(c);
    return step_ends::blocks;
  }
  step_ends drip(client& c, peer_step const& step) {
    if (clock::now() >= c.next_byte) {
      auto const sent = ::send(c.socket, step.text.data() + c.done % step.text.size(), 1, MSG_NOSIGNAL);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) return step_ends::is_over;
      if (sent > 0) ++c.done;
      c.next_byte = clock::now() + step.every;
    }
    c.due = c.next_byte;
    return step_ends::blocks;
  }
  step_ends choose(client& c, peer_step const& step) {
    auto chosen = step.choice(c.last);
    chosen.insert(chosen.end(), c.script.begin() + static_cast<std::ptrdiff_t>(c.at) + 1, c.script.end());
    return begin(c, std::move(chosen));
  }
  static std::string_view value_of(std::string_view head, std::string_view name) {
    for (auto at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at + 2)) {
      auto const line = head.substr(at + 2, head.find("\r\n", at + 2) - at - 2);
      auto const same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
      if (line.size() <= name.size() || line[name.size()] != ':') continue;
      if (!std::equal(name.begin(), name.end(), line.begin(), same)) continue;
      auto const value = line.substr(name.size() + 1);
      return value.substr(std::min(value.find_first_not_of(' '), value.size()));
    }
    return {};
  }
  // 0 while it is not whole.
  static std::size_t size_of_request(std::string const& text) {
    auto const end = text.find("\r\n\r\n");
    if (end == std::string::npos) return 0;
    std::string_view const head{text.data(), end + 4};
    if (value_of(head, "Transfer-Encoding").starts_with("chunked")) {
      auto const last = text.find("0\r\n\r\n", end + 2);
      return last == std::string::npos ? 0 : last + 5;
    }
    auto const size = head.size() + std::strtoul(std::string{value_of(head, "Content-Length")}.c_str(), nullptr, 10);
    return text.size() < size ? 0 : size;
  }
  void remember(client& c, std::size_t size) {
    auto const head = c.unread.find("\r\n\r\n") + 4;
    auto const method = c.unread.find(' ');
    auto const target = c.unread.find(' ', method + 1);
    c.last = {c.number,
              ++c.requests,
              ++total_,
              c.unread.substr(0, method),
              c.unread.substr(method + 1, target - method - 1),
              c.unread.substr(0, head),
              c.unread.substr(head, size - head)};
    c.unread.erase(0, size);
    locked([&] { requests_.push_back(c.last); });
  }

  std::function<peer_script(std::size_t)> script_of_;
  listening acceptor_;
  std::array<int, 2> pipe_{-1, -1};
  std::list<std::unique_ptr<client>> clients_;  // the thread's own, as the next
  std::size_t total_ = 0;

  mutable std::mutex mutex_;
  std::vector<peer_request> requests_;
  std::size_t accepted_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace support

#endif
