// SPDX-License-Identifier: BSL-1.0
// Sixty calls at once on one thread, in your own event loop: epoll for the sockets, one timerfd for everything that
// waits. Each call is an anew::retry_machine, which says what to do next. The server stands in the same loop, and
// fails.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "anew/anew.hpp"
#include "anew/call/retry_machine.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

using namespace std::chrono_literals;

int must(int answer, char const* what) {
  if (answer >= 0) return answer;
  std::perror(what);
  std::exit(1);
}

class descriptor {
 public:
  explicit descriptor(int fd = -1) noexcept : fd_{fd} {}
  descriptor(descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() { close(); }
  void close() noexcept {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }
  [[nodiscard]] int get() const noexcept { return fd_; }

 private:
  int fd_;
};

// [loop]
/// Tells who can go on: whose socket is ready, and, when no socket is, whose time has come.
class event_loop {
 public:
  using timer = std::multimap<anew::time_point, std::function<void()>>::iterator;
  static anew::time_point now() { return std::chrono::steady_clock::now(); }

  void watch(int fd, std::uint32_t events, std::function<void()> ready) {
    ::epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    bool const is_new = handlers_.insert_or_assign(fd, std::move(ready)).second;
    must(::epoll_ctl(epoll_.get(), is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event), "epoll_ctl");
  }
  /// To be called before it is closed.
  void forget(int fd) {
    must(::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr), "epoll_ctl");
    handlers_.erase(fd);
  }
  timer at(anew::time_point time, std::function<void()> then) { return timers_.emplace(time, std::move(then)); }
  /// A delay of `anew::duration::max()` does not end.
  timer after(anew::duration delay, std::function<void()> then) {
    auto const start = now();
    return at(delay < anew::time_point::max() - start ? start + delay : anew::time_point::max(), std::move(then));
  }
  void cancel(timer one) { timers_.erase(one); }

  template <class Done>
  void run_until(Done const& done) {
    watch(timer_.get(), EPOLLIN, [] {});
    while (!done()) {
      bool const is_due = !timers_.empty() && timers_.begin()->first <= now();
      if (!is_due) arm();
      ::epoll_event event{};  // one at a time: a handler may close what would be the next event's
      int const ready = ::epoll_wait(epoll_.get(), &event, 1, is_due ? 0 : -1);
      if (ready > 0 && event.data.fd != timer_.get()) {
        auto const handler = handlers_.at(event.data.fd);  // a copy: it may forget itself
        handler();
      } else if (is_due) {
        auto const first = timers_.extract(timers_.begin());
        first.mapped()();
      }
    }
  }

 private:
  void arm() {
    auto const first = timers_.empty() ? 0ns : timers_.begin()->first.time_since_epoch();  // 0: never
    ::itimerspec when{};
    when.it_value.tv_sec = static_cast<std::time_t>(first / 1s);
    when.it_value.tv_nsec = static_cast<long>(first % 1s / 1ns);
    must(::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &when, nullptr), "timerfd_settime");
  }

  descriptor epoll_{must(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")};
  descriptor timer_{must(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), "timerfd_create")};
  std::map<int, std::function<void()>> handlers_;
  std::multimap<anew::time_point, std::function<void()>> timers_;
};
// [/loop]

/// Answers a line with the number of a call by a line with a status: 200 in the end, whatever it says before.
class moody_server {
 public:
  explicit moody_server(event_loop& loop) : loop_{loop} {
    ::sockaddr_in local{};
    local.sin_family = AF_INET;
    local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::socklen_t size = sizeof address;
    must(::bind(listener_.get(), reinterpret_cast<::sockaddr const*>(&local), sizeof local), "bind");
    must(::listen(listener_.get(), SOMAXCONN), "listen");
    must(::getsockname(listener_.get(), reinterpret_cast<::sockaddr*>(&address), &size), "getsockname");
    loop_.watch(listener_.get(), EPOLLIN, [this] { accept(); });
  }
  ::sockaddr_in address{};
  int requests = 0;

 private:
  void accept() {
    descriptor connection{::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
    if (!connection.is_open()) return;
    int const fd = connection.get();
    loop_.watch(fd, EPOLLIN, [this, fd] { serve(fd); });
    connections_.emplace(fd, std::move(connection));
  }
  void serve(int fd) {
    char line[16]{};
    if (::read(fd, line, sizeof line - 1) > 0) {
      ++requests;
      auto const call = static_cast<int>(std::strtol(line, nullptr, 10));
      auto const answer = answer_to(call, ++seen_[call]);
      if (answer.empty()) return;  // never: until the client hangs up
      must(static_cast<int>(::write(fd, answer.data(), answer.size())), "write");
    }
    loop_.forget(fd);
    connections_.erase(fd);
  }
  static std::string answer_to(int call, int times) {
    if (call % 10 == 7) return "404";
    if (call % 10 == 4) return "503";
    if (call % 10 == 9 && times == 1) return {};
    return times <= call % 3 ? "503" : "200";
  }

  event_loop& loop_;
  descriptor listener_{must(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket")};
  std::map<int, descriptor> connections_;
  std::map<int, int> seen_;
};

// [strategy]
struct is_busy {
  bool operator()(int status) const noexcept { return status == 503; }
};
using strategy = anew::strategy<anew::exponential_backoff<2ms, 20ms>, anew::token_bucket<5000>, anew::retry_if<is_busy>,
                                anew::max_attempts<4>, anew::attempt_timeout<200ms>>;
// [/strategy]

class client_call {
 public:
  client_call(event_loop& loop, strategy const& with, moody_server const& server, int id)
      : loop_{loop}, server_{server}, retrying_{with, anew::idempotent_call}, id_{id} {}

  void begin() { go_on(retrying_.begin()); }
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }
  [[nodiscard]] std::string summary() const {
    auto const attempts = std::to_string(retrying_.attempts());
    return std::string{to_string(retrying_.reason())}
        .append(" after ")
        .append(attempts)
        .append(", status ")
        .append(std::to_string(status_));
  }

 private:
  // [go_on]
  void go_on(anew::next_step step) {
    switch (step) {
      case anew::next_step::attempt: return connect();
      case anew::next_step::wait:
        timer_ = loop_.at(retrying_.wait_ends_at(), [this] { go_on(retrying_.on_wait_over()); });
        return;
      case anew::next_step::finished: is_over_ = true;
    }
  }
  // [/go_on]
  void connect() {
    socket_ = descriptor{must(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket")};
    auto const* const to = reinterpret_cast<::sockaddr const*>(&server_.address);
    static_cast<void>(::connect(socket_.get(), to, sizeof server_.address));  // how it went, the first send finds out
    loop_.watch(socket_.get(), EPOLLOUT, [this] { send(); });
    // [limit]
    timer_ = loop_.after(retrying_.attempt_timeout(), [this] {
      hang_up();
      status_ = 0;
      go_on(retrying_.on_attempt_timeout());
    });
    // [/limit]
  }
  void send() {
    auto const line = std::to_string(id_).append("\n");
    if (::send(socket_.get(), line.data(), line.size(), MSG_NOSIGNAL) < 0) return fail_to_connect();
    loop_.watch(socket_.get(), EPOLLIN, [this] { receive(); });
  }
  // [ends]
  void receive() {
    char line[16]{};
    if (::read(socket_.get(), line, sizeof line - 1) <= 0) return fail_to_connect();
    loop_.cancel(timer_);
    hang_up();
    status_ = static_cast<int>(std::strtol(line, nullptr, 10));
    go_on(status_ == 200 ? retrying_.on_success() : retrying_.on_error(status_));
  }
  void fail_to_connect() {
    loop_.cancel(timer_);
    hang_up();
    status_ = 0;
    go_on(retrying_.on_verdict(anew::directive::retry(anew::error_kind::transient)));
  }
  // [/ends]
  void hang_up() {
    loop_.forget(socket_.get());
    socket_.close();
  }

  event_loop& loop_;
  moody_server const& server_;
  anew::retry_machine<strategy, anew::idempotent_call.value> retrying_;
  descriptor socket_;
  event_loop::timer timer_;
  int id_;
  int status_ = 0;
  bool is_over_ = false;
};

int main() {
  event_loop loop;
  moody_server server{loop};
  strategy const shared{};
  std::vector<client_call> calls;
  calls.reserve(60);  // they are referred to
  for (int id = 0; id != 60; ++id) calls.emplace_back(loop, shared, server, id);
  for (auto& call : calls) call.begin();
  loop.run_until([&] {
    for (auto const& call : calls) {
      if (!call.is_over()) return false;
    }
    return true;
  });

  std::map<std::string, int> ends;
  for (auto const& call : calls) ++ends[call.summary()];
  std::printf("%zu calls, %d requests, one thread\n", calls.size(), server.requests);
  for (auto const& [end, count] : ends) std::printf("%2d %s\n", count, end.c_str());
}
