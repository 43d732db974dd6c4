// SPDX-License-Identifier: BSL-1.0
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <functional>
#include <latch>
#include <list>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "misbehaving_server.hpp"

namespace demo {

using std::chrono::steady_clock;

namespace {

// A year stands for everything longer, which might overflow the clock.
constexpr std::chrono::nanoseconds longest_delay = std::chrono::hours{24 * 365};

steady_clock::time_point after(steady_clock::time_point start, std::chrono::nanoseconds time) {
  return start + std::min(time, longest_delay);
}

[[noreturn]] void fail() { throw std::system_error{errno, std::generic_category(), "misbehaving_server"}; }

int checked(int result) {
  if (result < 0) fail();
  return result;
}

void set_option(int socket, int level, int name, int value = 1) {
  setsockopt(socket, level, name, &value, sizeof value);
}

// The owner of a file descriptor.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd) : fd_{checked(fd)} {}
  descriptor(descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() { close(); }

  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }

  void close() {
    if (is_open()) ::close(std::exchange(fd_, -1));
  }
  // With the linger time at 0 the kernel sends RST instead of FIN, and drops what it has not sent.
  void reset() {
    ::linger const at_once{1, 0};
    if (is_open()) setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }

 private:
  int fd_ = -1;
};

void never_block(descriptor const& file) { checked(fcntl(file.get(), F_SETFL, O_NONBLOCK)); }

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

// Where it is known only to the socket, see never_signals().
#ifdef MSG_NOSIGNAL
constexpr int without_signal = MSG_NOSIGNAL;
#else
constexpr int without_signal = 0;
#endif

void never_signals([[maybe_unused]] descriptor const& socket) {
#ifdef SO_NOSIGPIPE
  set_option(socket.get(), SOL_SOCKET, SO_NOSIGPIPE);
#endif
}

// Until one of them is ready or the time has come.
void wait_for(std::vector<pollfd>& files, steady_clock::time_point due) {
  auto const left = std::max(due - steady_clock::now(), steady_clock::duration::zero());
#ifdef __linux__
  auto const seconds = std::chrono::floor<std::chrono::seconds>(left);
  timespec const time{static_cast<std::time_t>(seconds.count()), static_cast<long>((left - seconds).count())};
  auto const ready = ppoll(files.data(), files.size(), &time, nullptr);
#else
  auto const time = std::min(std::chrono::ceil<std::chrono::milliseconds>(left), std::chrono::milliseconds{60'000});
  auto const ready = poll(files.data(), static_cast<nfds_t>(files.size()), static_cast<int>(time.count()));
#endif
  if (ready <= 0)
    for (auto& file : files) file.revents = 0;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_same_name(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

std::string_view trimmed(std::string_view text) {
  auto const begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string_view reason(int code) {
  switch (code) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 408: return "Request Timeout";
    case 429: return "Too Many Requests";
    case 500: return "Internal Server Error";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    default: return "Unnamed";
  }
}

struct request {
  std::string method;
  std::string target;
  int minor_version = 1;
  std::vector<std::pair<std::string, std::string>> headers;

  [[nodiscard]] std::string_view header(std::string_view name) const {
    for (auto const& [written, value] : headers)
      if (is_same_name(written, name)) return value;
    return {};
  }
  [[nodiscard]] bool keeps_connection() const {
    auto const said = header("Connection");
    return minor_version == 1 ? !is_same_name(said, "close") : is_same_name(said, "keep-alive");
  }
};

struct not_http {};

constexpr std::size_t longest_request = 1U << 20U;

void read_head(std::string_view head, request& into) {
  auto const line = head.substr(0, head.find("\r\n"));
  auto const first = line.find(' ');
  auto const last = line.rfind(' ');
  if (first == 0 || first == line.npos || first == last) throw not_http{};
  auto const version = line.substr(last + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") throw not_http{};
  into.method = line.substr(0, first);
  into.target = line.substr(first + 1, last - first - 1);
  into.minor_version = version.back() - '0';
  for (auto rest = head.substr(line.size() + 2); !rest.empty();) {
    auto const field = rest.substr(0, rest.find("\r\n"));
    auto const colon = field.find(':');
    if (colon == 0 || colon == field.npos) throw not_http{};
    into.headers.emplace_back(field.substr(0, colon), trimmed(field.substr(colon + 1)));
    rest.remove_prefix(field.size() + 2);
  }
}

// How long the first request is, once all of it is there, else 0. Throws not_http.
std::size_t read_request(std::string_view text, request& into) {
  auto const end = text.find("\r\n\r\n");
  if (end == text.npos) {
    if (text.size() > longest_request) throw not_http{};
    return 0;
  }
  read_head(text.substr(0, end + 2), into);
  std::size_t body = 0;
  if (auto const said = into.header("Content-Length"); !said.empty()) {
    auto const [rest, error] = std::from_chars(said.begin(), said.end(), body);
    if (error != std::errc{} || rest != said.end() || body > longest_request) throw not_http{};
  }
  if (!into.header("Transfer-Encoding").empty()) throw not_http{};
  auto const length = end + 4 + body;
  return text.size() < length ? 0 : length;
}

}  // namespace

step step::status(int code, std::string body) {
  if (code < 200 || code > 999) throw std::invalid_argument{"step::status: a final status is from 200 to 999"};
  step made;
  made.code_ = code;
  made.body_ = std::move(body);
  return made;
}

step step::delay(duration before_answer) {
  step made;
  made.delay_ = before_answer;
  return made;
}

step step::silence() {
  step made;
  made.ending_ = ending::silence;
  return made;
}

step step::reset_before_response() {
  step made;
  made.ending_ = ending::reset;
  made.answers_ = false;
  return made;
}

step step::reset_in_body(std::size_t bytes_sent) {
  step made;
  made.ending_ = ending::reset;
  made.bytes_sent_ = bytes_sent;
  return made;
}

step step::close_in_body(std::size_t bytes_sent) {
  step made;
  made.ending_ = ending::close;
  made.bytes_sent_ = bytes_sent;
  return made;
}

step step::retry_after(std::chrono::seconds delay) const {
  return header("Retry-After", std::to_string(delay.count()));
}

step step::header(std::string name, std::string value) const {
  step made = *this;
  made.headers_.emplace_back(std::move(name), std::move(value));
  return made;
}

step step::body(std::string text) const {
  step made = *this;
  made.body_ = std::move(text);
  return made;
}

class misbehaving_server::impl {
 public:
  impl() {
    int ends[2];
    checked(pipe(ends));
    woken_ = descriptor{ends[0]};
    waker_ = descriptor{ends[1]};
    reserve_port();
    open_listener();
    thread_ = std::thread{[this] {
      while (!stops_) turn();
    }};
  }

  // Nothing is waited for: the sockets are closed with their peers.
  ~impl() {
    on_thread([this] { stops_ = true; });
    thread_.join();
  }

  impl(impl const&) = delete;
  impl& operator=(impl const&) = delete;

  std::uint16_t port() const noexcept { return port_; }

  void script(std::string path, std::vector<step> steps, std::optional<step> then_repeat) {
    if (then_repeat) steps.push_back(*std::move(then_repeat));
    if (steps.empty()) throw std::invalid_argument{"misbehaving_server::script: no step for " + path};
    std::lock_guard const lock{mutex_};
    scripts_.insert_or_assign(std::move(path), scripted{std::move(steps), 0});
  }

  void limit(std::string path, double per_second, step beyond, double burst) {
    if (!(per_second > 0)) throw std::invalid_argument{"misbehaving_server::limit: a rate above zero is needed"};
    if (!(burst >= 1)) throw std::invalid_argument{"misbehaving_server::limit: a burst of at least 1 is needed"};
    std::lock_guard const lock{mutex_};
    limits_.insert_or_assign(std::move(path),
                             limited{per_second, burst, std::move(beyond), burst, steady_clock::now()});
  }

  void sometimes(std::string path, double share, step then, std::uint64_t seed) {
    std::lock_guard const lock{mutex_};
    auto& drawn = drawn_[std::move(path)];
    double all = share;
    for (auto const& [one, what] : drawn.shares) all += one;
    if (!(share >= 0) || !(all <= 1)) {
      throw std::invalid_argument{"misbehaving_server::sometimes: shares from 0, and of 1 in all, are needed"};
    }
    drawn.shares.emplace_back(share, std::move(then));
    drawn.which.seed(seed);
  }

  void answer_after(std::string path, duration least, duration most, std::uint64_t seed) {
    if (least < duration::zero() || most < least) {
      throw std::invalid_argument{"misbehaving_server::answer_after: 0 <= least <= most is needed"};
    }
    std::lock_guard const lock{mutex_};
    auto& drawn = drawn_[std::move(path)];
    drawn.wait = std::uniform_int_distribution{least.count(), most.count()};
    drawn.how_long.seed(seed);
  }

  void remember(bool requests) {
    std::lock_guard const lock{mutex_};
    remembers_ = requests;
  }

  void go_down() {
    on_thread([this] { close_listener(); });
  }

  void come_up() {
    on_thread([this] { open_listener(); });
  }

  std::size_t connection_count() const {
    std::lock_guard const lock{mutex_};
    return connections_;
  }

  std::vector<recorded_request> requests() const {
    std::lock_guard const lock{mutex_};
    return requests_;
  }

  std::size_t request_count() const {
    std::lock_guard const lock{mutex_};
    return counted_;
  }

  std::size_t request_count(std::string_view path) const {
    std::lock_guard const lock{mutex_};
    auto const found = counts_.find(path);
    return found == counts_.end() ? 0 : found->second;
  }

  bool wait_for_requests(std::size_t count, duration limit) const {
    return wait(limit, [this, count] { return counted_ >= count; });
  }

 private:
  struct scripted {
    std::vector<step> steps;
    std::size_t next;
  };

  struct limited {
    double per_second;
    double burst;
    step beyond;
    double room;
    steady_clock::time_point last;

    bool lets_in(steady_clock::time_point now) {
      room = std::min(burst, room + per_second * std::chrono::duration<double>{now - last}.count());
      last = now;
      if (room < 1) return false;
      room -= 1;
      return true;
    }
  };

  // The random choices: who gets another step, and how long an answer takes.
  struct left_to_chance {
    std::vector<std::pair<double, step>> shares;
    std::uniform_int_distribution<duration::rep> wait{0, 0};
    std::mt19937_64 which{1};
    std::mt19937_64 how_long{1};

    step const* other_step() {
      if (shares.empty()) return nullptr;
      double left = std::uniform_real_distribution{}(which);
      for (auto const& [share, what] : shares) {
        if (left < share) return &what;
        left -= share;
      }
      return nullptr;
    }
  };

  // One connection, and the answer that it is being given.
  struct peer {
    enum class state { reads, delays, answers, ignores };

    descriptor socket;
    std::uint64_t id;
    state doing = state::reads;
    std::string in;
    request asked;
    step what;
    steady_clock::time_point due;  // of the answer
    std::string out;               // what has to be sent now

    [[nodiscard]] bool is_listened_to() const { return doing == state::reads || doing == state::ignores; }
    [[nodiscard]] bool sends() const { return doing == state::answers && !out.empty(); }
    [[nodiscard]] bool waits() const { return !is_listened_to() && !sends(); }
    // poll() watches no socket during a wait: a client that leaves would wake us again and again.
    [[nodiscard]] pollfd watched() const {
      return {waits() ? -1 : socket.get(), static_cast<short>(sends() ? POLLOUT : POLLIN), 0};
    }
  };

  void on_thread(std::function<void()> work) {
    std::exception_ptr error;
    std::latch done{1};
    {
      std::lock_guard const lock{mutex_};
      tasks_.emplace_back([&] {
        try {
          work();
        } catch (...) {
          error = std::current_exception();
        }
        done.count_down();
      });
    }
    while (write(waker_.get(), "", 1) < 0 && errno == EINTR) {
    }
    done.wait();
    if (error) std::rethrow_exception(error);
  }

  template <class Predicate>
  bool wait(duration limit, Predicate reached) const {
    std::unique_lock lock{mutex_};
    return changed_.wait_until(lock, after(steady_clock::now(), limit), reached);
  }

  // While the server is down, a socket that is bound and does not listen keeps the port: no other process gets it, and
  // the kernel does not give it to a client as the local port of an outgoing connection, which could then meet itself.
  void reserve_port() {
    reservation_ = bound_socket();
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    checked(getsockname(reservation_.get(), reinterpret_cast<sockaddr*>(&bound), &size));  // NOLINT: so it is called
    port_ = ntohs(bound.sin_port);
#ifndef __linux__
    // Other systems do not let a listener share the port, even so.
    reservation_.close();
#endif
  }

  [[nodiscard]] descriptor bound_socket() const {
    descriptor made{socket(AF_INET, SOCK_STREAM, 0)};
    set_option(made.get(), SOL_SOCKET, SO_REUSEADDR);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port_);
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    checked(bind(made.get(), reinterpret_cast<sockaddr const*>(&where), sizeof where));  // NOLINT: so it is called
    return made;
  }

  void open_listener() {
    if (listener_.is_open()) return;
    auto made = bound_socket();
    never_block(made);
    checked(listen(made.get(), SOMAXCONN));
    listener_ = std::move(made);
    accepts_again_ = {};
  }

  void close_listener() {
    if (!listener_.is_open()) return;
    listener_.reset();
    for (peer& open : peers_) open.socket.reset();
    peers_.clear();
  }

  // Waits for what is next, and does it.
  void turn() {
    auto now = steady_clock::now();
    bool const accepts = listener_.is_open() && accepts_again_ <= now;
    auto due = after(now, longest_delay);
    if (listener_.is_open() && !accepts) due = std::min(due, accepts_again_);
    files_.assign({{woken_.get(), POLLIN, 0}, {accepts ? listener_.get() : -1, POLLIN, 0}});
    for (peer const& each : peers_) {
      files_.push_back(each.watched());
      if (each.waits()) due = std::min(due, each.due);
    }
    wait_for(files_, due);

    auto file = files_.begin() + 2;
    for (peer& each : peers_) {
      if ((file++)->revents != 0 && each.is_listened_to()) receive(each);
      if (each.socket.is_open()) go_on(each);
    }
    std::erase_if(peers_, [](peer const& each) { return !each.socket.is_open(); });
    if (accepts && files_[1].revents != 0) accept_all();
    if (files_[0].revents != 0) do_tasks();
  }

  void do_tasks() {
    std::array<char, 64> ignored;
    if (read(woken_.get(), ignored.data(), ignored.size()) <= 0) return;
    std::vector<std::function<void()>> tasks;
    {
      std::lock_guard const lock{mutex_};
      tasks.swap(tasks_);
    }
    for (auto const& task : tasks) task();
  }

  void accept_all() {
    for (;;) {
      int const made = accept(listener_.get(), nullptr, nullptr);
      if (made < 0) {
        // Most likely out of file descriptors, which would fail again at once.
        if (!would_block()) accepts_again_ = steady_clock::now() + std::chrono::milliseconds{10};
        return;
      }
      peer& client = peers_.emplace_back();
      client.socket = descriptor{made};
      client.id = record_connection();
      never_block(client.socket);
      never_signals(client.socket);
      set_option(made, IPPROTO_TCP, TCP_NODELAY);
    }
  }

  void receive(peer& client) {
    std::array<char, 16384> bytes;
    auto const got = recv(client.socket.get(), bytes.data(), bytes.size(), 0);
    if (got == 0 || (got < 0 && !would_block())) client.socket.close();
    if (got > 0 && client.doing == peer::state::reads) client.in.append(bytes.data(), static_cast<std::size_t>(got));
  }

  // As far as it goes without waiting.
  void go_on(peer& client) {
    while (client.socket.is_open()) {
      bool goes_on = false;
      switch (client.doing) {
        case peer::state::reads: goes_on = take_request(client); break;
        case peer::state::delays: goes_on = end_delay(client); break;
        case peer::state::answers: goes_on = send_some(client); break;
        case peer::state::ignores: break;
      }
      if (!goes_on) return;
    }
  }

  bool take_request(peer& client) {
    if (client.in.empty()) return false;
    try {
      client.asked = {};
      auto const length = read_request(client.in, client.asked);
      if (length == 0) return false;
      client.in.erase(0, length);
    } catch (not_http const&) {
      client.socket.close();
      return false;
    }
    client.what = record_request(client.asked, client.id);
    client.due = after(steady_clock::now(), client.what.delay_);
    client.doing = peer::state::delays;
    return true;
  }

  bool end_delay(peer& client) {
    if (client.what.delay_ > duration::zero() && steady_clock::now() < client.due) return false;
    client.doing = client.what.ending_ == step::ending::silence ? peer::state::ignores : peer::state::answers;
    if (client.doing == peer::state::answers && client.what.answers_) prepare_answer(client);
    return true;
  }

  static void prepare_answer(peer& client) {
    step const& what = client.what;
    bool const cut = what.ending_ != step::ending::complete;
    bool const bodiless = client.asked.method == "HEAD" || what.code_ == 204 || what.code_ == 304;
    std::string body = what.body_;
    if (cut && body.size() <= what.bytes_sent_) body.resize(what.bytes_sent_ + 1, '.');

    client.out = answer_head(what, client.asked, body.size());
    std::size_t const size = bodiless ? 0 : cut ? what.bytes_sent_ : body.size();
    client.out.append(body, 0, size);
  }

  static std::string answer_head(step const& what, request const& asked, std::size_t announced) {
    auto text = "HTTP/1." + std::to_string(asked.minor_version) + ' ' + std::to_string(what.code_) + ' ';
    text += reason(what.code_);
    text += "\r\n";
    auto const add = [&text](std::string_view name, std::string_view value) {
      text.append(name).append(": ").append(value).append("\r\n");
    };
    bool const keeps = asked.keeps_connection();
    if (keeps != (asked.minor_version == 1)) add("Connection", keeps ? "keep-alive" : "close");
    if (what.code_ != 204) add("Content-Length", std::to_string(announced));
    for (auto const& [name, value] : what.headers_) add(name, value);
    return text + "\r\n";
  }

  static bool send_some(peer& client) {
    while (!client.out.empty()) {
      auto const sent = send(client.socket.get(), client.out.data(), client.out.size(), without_signal);
      if (sent < 0) {
        if (!would_block()) client.socket.close();
        return false;
      }
      client.out.erase(0, static_cast<std::size_t>(sent));
    }
    return end_answer(client);
  }

  // True when the connection can take another request.
  static bool end_answer(peer& client) {
    client.doing = peer::state::reads;
    auto const ending = client.what.ending_;
    if (ending == step::ending::complete && client.asked.keeps_connection()) return true;
    if (ending == step::ending::reset) {
      client.socket.reset();
    } else {
      shutdown(client.socket.get(), SHUT_RDWR);
      client.socket.close();
    }
    return false;
  }

  std::uint64_t record_connection() {
    std::lock_guard const lock{mutex_};
    changed_.notify_all();
    return ++connections_;
  }

  step record_request(request const& asked, std::uint64_t connection) {
    std::string const path = asked.target.substr(0, asked.target.find('?'));
    std::lock_guard const lock{mutex_};
    auto const now = steady_clock::now();
    if (remembers_) requests_.push_back({now, asked.method, path, connection, asked.headers});
    ++counted_;
    ++counts_[path];
    changed_.notify_all();
    if (auto const limit = limits_.find(path); limit != limits_.end() && !limit->second.lets_in(now)) {
      return limit->second.beyond;
    }
    auto const drawn = drawn_.find(path);
    if (drawn == drawn_.end()) return next_step(path);
    auto const* const other = drawn->second.other_step();
    step what = other == nullptr ? next_step(path) : *other;
    duration const wait{drawn->second.wait(drawn->second.how_long)};
    what.delay_ = std::min(what.delay_, longest_delay) + std::min(wait, longest_delay);
    return what;
  }

  step next_step(std::string const& path) {
    auto const found = scripts_.find(path);
    if (found == scripts_.end()) return step::status(200);
    auto& [steps, next] = found->second;
    return steps[std::min(next++, steps.size() - 1)];
  }

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::map<std::string, scripted, std::less<>> scripts_;
  std::map<std::string, limited, std::less<>> limits_;
  std::map<std::string, left_to_chance, std::less<>> drawn_;
  std::vector<recorded_request> requests_;
  bool remembers_ = true;
  std::size_t counted_ = 0;
  std::map<std::string, std::size_t, std::less<>> counts_;
  std::size_t connections_ = 0;

  std::vector<std::function<void()>> tasks_;  // for the server's own thread

  std::uint16_t port_ = 0;
  descriptor woken_;
  descriptor waker_;

  // Used by the server's own thread.
  bool stops_ = false;
  std::list<peer> peers_;
  std::vector<pollfd> files_;
  descriptor reservation_;
  descriptor listener_;
  steady_clock::time_point accepts_again_;
  std::thread thread_;
};

misbehaving_server::misbehaving_server() : impl_{std::make_unique<impl>()} {}
misbehaving_server::~misbehaving_server() = default;

std::string misbehaving_server::host() const { return "127.0.0.1"; }
std::uint16_t misbehaving_server::port() const noexcept { return impl_->port(); }

std::string misbehaving_server::url(std::string_view path) const {
  return "http://" + host() + ":" + std::to_string(port()) + std::string{path};
}

void misbehaving_server::script(std::string path, std::vector<step> steps, std::optional<step> then_repeat) {
  impl_->script(std::move(path), std::move(steps), std::move(then_repeat));
}

void misbehaving_server::limit(std::string path, double per_second, step beyond, double burst) {
  impl_->limit(std::move(path), per_second, std::move(beyond), burst);
}

void misbehaving_server::sometimes(std::string path, double share, step then, std::uint64_t seed) {
  impl_->sometimes(std::move(path), share, std::move(then), seed);
}

void misbehaving_server::answer_after(std::string path, duration least, duration most, std::uint64_t seed) {
  impl_->answer_after(std::move(path), least, most, seed);
}

void misbehaving_server::remember(bool requests) { impl_->remember(requests); }

void misbehaving_server::go_down() { impl_->go_down(); }
void misbehaving_server::come_up() { impl_->come_up(); }

std::string recorded_request::header(std::string_view name) const {
  for (auto const& [written, value] : headers)
    if (is_same_name(written, name)) return value;
  return {};
}

std::size_t misbehaving_server::request_count() const { return impl_->request_count(); }
std::size_t misbehaving_server::request_count(std::string_view path) const { return impl_->request_count(path); }
std::size_t misbehaving_server::connection_count() const { return impl_->connection_count(); }
std::vector<recorded_request> misbehaving_server::requests() const { return impl_->requests(); }

bool misbehaving_server::wait_for_requests(std::size_t count, duration limit) const {
  return impl_->wait_for_requests(count, limit);
}

}  // namespace demo
