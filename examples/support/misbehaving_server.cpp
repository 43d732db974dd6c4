// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <functional>
#include <latch>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "misbehaving_server.hpp"

namespace demo {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::steady_clock;

namespace {

using request = http::request<http::string_body>;

std::string imf_fixdate(std::chrono::system_clock::time_point time) {
  static constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  auto const day = std::chrono::floor<std::chrono::days>(time);
  std::chrono::year_month_day const date{day};
  std::chrono::hh_mm_ss const clock{std::chrono::floor<std::chrono::seconds>(time) - day};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d GMT",
                days[std::chrono::weekday{day}.c_encoding()], static_cast<unsigned>(date.day()),
                months[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

// A year stands for everything longer, which might overflow the clock.
constexpr std::chrono::nanoseconds longest_delay = std::chrono::hours{24 * 365};

steady_clock::time_point after(steady_clock::time_point start, std::chrono::nanoseconds time) {
  return start + std::min(time, longest_delay);
}

// With the linger time at 0 the kernel sends RST instead of FIN, and drops what it has not sent.
void reset(tcp::socket& socket) {
  error_code ignored;
  socket.set_option(asio::socket_base::linger(true, 0), ignored);
  socket.close(ignored);
}

void close(tcp::socket& socket) {
  error_code ignored;
  socket.shutdown(tcp::socket::shutdown_both, ignored);
  socket.close(ignored);
}

}  // namespace

step step::status(int code, std::string body) {
  if (code < 200 || code > 999) throw std::invalid_argument{"step::status: a final status is from 200 to 999"};
  step made;
  made.code_ = code;
  made.body_ = std::move(body);
  return made;
}

step step::delay(duration before_answer) { return step{}.delayed_by(before_answer); }

step step::slow(duration total, std::size_t chunks) {
  step made;
  made.spread_ = total;
  made.chunks_ = chunks;
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

step step::retry_after_date(std::chrono::seconds from_now) const {
  step made = *this;
  made.retry_after_date_ = from_now;
  return made;
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

step step::delayed_by(duration time) const {
  step made = *this;
  made.delay_ = time;
  return made;
}

step step::closing() const {
  step made = *this;
  made.closing_ = true;
  return made;
}

class misbehaving_server::impl {
 public:
  impl() {
    reserve_port();
    open_listener();
    thread_ = std::thread{[this] { io_.run(); }};
  }

  // Nothing is cancelled or waited for: the pending operations are destroyed with io_, and the sockets with them.
  ~impl() {
    io_.stop();
    thread_.join();
  }

  impl(impl const&) = delete;
  impl& operator=(impl const&) = delete;

  std::uint16_t port() const noexcept { return endpoint_.port(); }
  bool is_up() const noexcept { return up_; }

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
    on_thread([this] {
      end_outage_timer();
      close_listener();
    });
  }

  void come_up() {
    on_thread([this] {
      end_outage_timer();
      open_listener();
    });
  }

  void down_for(duration time) {
    on_thread([this, time] {
      end_outage_timer();
      close_listener();
      outage_timer_.expires_at(after(steady_clock::now(), time));
      // Cancelling comes too late for a wait that is over and was not told yet: the number of the outage decides.
      outage_timer_.async_wait([this, outage = outage_](error_code) {
        if (outage == outage_) open_listener();
      });
    });
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

  bool wait_for_connections(std::size_t count, duration limit) const {
    return wait(limit, [this, count] { return connections_ >= count; });
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

  // One connection. It is known to the server for as long as it is served, so that going down reaches it.
  class peer {
   public:
    peer(impl& server, tcp::socket accepted, std::uint64_t number)
        : socket{std::move(accepted)}, timer{socket.get_executor()}, id{number}, server_{server} {
      server_.peers_.insert(this);
    }
    ~peer() { server_.peers_.erase(this); }
    peer(peer const&) = delete;
    peer& operator=(peer const&) = delete;

    tcp::socket socket;
    asio::steady_timer timer;
    std::uint64_t id;

   private:
    impl& server_;
  };

  template <class F>
  void on_thread(F work) {
    std::exception_ptr error;
    std::latch done{1};
    asio::post(io_, [&] {
      try {
        work();
      } catch (...) {
        error = std::current_exception();
      }
      done.count_down();
    });
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
    tcp::socket::reuse_address const reuse{true};
    reservation_.open(tcp::v4());
    reservation_.set_option(reuse);
    reservation_.bind({asio::ip::address_v4::loopback(), 0});
    endpoint_ = reservation_.local_endpoint();
#ifndef __linux__
    // Other systems do not let a listener share the port, even so.
    reservation_.close();
#endif
  }

  void open_listener() {
    if (acceptor_) return;
    auto acceptor = std::make_shared<tcp::acceptor>(io_, endpoint_);
    acceptor_ = acceptor;
    up_ = true;
    asio::co_spawn(io_, accept_from(std::move(acceptor)), asio::detached);
  }

  void close_listener() {
    if (!acceptor_) return;
    acceptor_->close();
    acceptor_.reset();
    up_ = false;
    for (peer* const open : peers_) {
      reset(open->socket);
      open->timer.cancel();
    }
  }

  void end_outage_timer() {
    ++outage_;
    outage_timer_.cancel();
  }

  asio::awaitable<void> accept_from(std::shared_ptr<tcp::acceptor> acceptor) {
    while (acceptor->is_open()) {
      error_code error;
      tcp::socket socket{io_};
      co_await acceptor->async_accept(socket, asio::redirect_error(asio::use_awaitable, error));
      if (!acceptor->is_open()) {
        reset(socket);
        break;
      }
      if (error) {
        // Most likely out of file descriptors, which would fail again at once.
        asio::steady_timer pause{io_, std::chrono::milliseconds{10}};
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
        continue;
      }
      socket.set_option(tcp::no_delay{true}, error);
      asio::co_spawn(io_, serve(std::make_unique<peer>(*this, std::move(socket), record_connection())), asio::detached);
    }
  }

  asio::awaitable<void> serve(std::unique_ptr<peer> client) {
    boost::beast::flat_buffer buffer;
    for (bool again = true; again;) {
      http::request_parser<http::string_body> parser;
      error_code error;
      co_await http::async_read(client->socket, buffer, parser, asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return;
      step const next = record_request(parser.get(), client->id);
      again = co_await perform(*client, next, parser.get());
    }
    close(client->socket);
  }

  // True when the connection can take another request.
  asio::awaitable<bool> perform(peer& client, step const& what, request const& asked) {
    if (what.delay_ > duration::zero())
      if (!co_await sleep_until(client, after(steady_clock::now(), what.delay_))) co_return false;

    if (what.ending_ == step::ending::silence) {
      co_await read_until_closed(client);
      co_return false;
    }
    bool const again = asked.keep_alive() && !what.closing_ && what.ending_ == step::ending::complete;
    if (what.answers_)
      if (!co_await send_answer(client, what, asked)) co_return false;
    if (what.ending_ == step::ending::reset) reset(client.socket);
    co_return again;
  }

  asio::awaitable<bool> send_answer(peer& client, step const& what, request const& asked) {
    bool const cut = what.ending_ != step::ending::complete;
    bool const bodiless = asked.method() == http::verb::head || what.code_ == 204 || what.code_ == 304;
    std::string body = what.body_;
    if (cut && body.size() <= what.bytes_sent_) body.resize(what.bytes_sent_ + 1, '.');

    std::string const head = answer_head(what, asked, body.size());
    std::size_t const size = bodiless ? 0 : cut ? what.bytes_sent_ : body.size();
    if (what.spread_ <= duration::zero()) co_return co_await send(client, head + body.substr(0, size));

    if (!co_await send(client, head)) co_return false;
    auto const start = steady_clock::now();
    std::size_t const pieces = std::clamp<std::size_t>(what.chunks_, 1, std::max<std::size_t>(size, 1));
    std::size_t sent = 0;
    for (std::size_t i = 1; i <= pieces; ++i) {
      auto const share = std::chrono::duration<double, std::nano>{what.spread_} * i / pieces;
      auto const due = after(start, i == pieces ? what.spread_ : std::chrono::duration_cast<duration>(share));
      if (!co_await sleep_until(client, due)) co_return false;
      std::size_t const end = size * i / pieces;
      if (!co_await send(client, body.substr(sent, end - sent))) co_return false;
      sent = end;
    }
    co_return true;
  }

  static std::string answer_head(step const& what, request const& asked, std::size_t announced) {
    http::response<http::empty_body> answer;
    answer.version(asked.version());
    answer.result(static_cast<unsigned>(what.code_));
    answer.keep_alive(asked.keep_alive() && !what.closing_);
    if (what.code_ != 204) answer.content_length(announced);
    if (what.retry_after_date_)
      answer.insert(http::field::retry_after, imf_fixdate(std::chrono::system_clock::now() + *what.retry_after_date_));
    for (auto const& [name, value] : what.headers_) answer.insert(name, value);
    std::ostringstream text;
    text << answer.base();
    return text.str();
  }

  static asio::awaitable<bool> send(peer& client, std::string text) {
    error_code error;
    co_await asio::async_write(client.socket, asio::buffer(text), asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
  }

  // False when the server went down meanwhile. A peer that was reset before it came here must not start to wait.
  static asio::awaitable<bool> sleep_until(peer& client, steady_clock::time_point time) {
    if (!client.socket.is_open()) co_return false;
    error_code error;
    client.timer.expires_at(time);
    co_await client.timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
    co_return client.socket.is_open();
  }

  static asio::awaitable<void> read_until_closed(peer& client) {
    std::array<char, 512> ignored;
    error_code error;
    while (!error)
      co_await client.socket.async_read_some(asio::buffer(ignored), asio::redirect_error(asio::use_awaitable, error));
  }

  std::uint64_t record_connection() {
    std::lock_guard const lock{mutex_};
    changed_.notify_all();
    return ++connections_;
  }

  step record_request(request const& asked, std::uint64_t connection) {
    std::string_view const target{asked.target().data(), asked.target().size()};
    std::string_view const method{asked.method_string().data(), asked.method_string().size()};
    std::string const path{target.substr(0, target.find('?'))};
    std::lock_guard const lock{mutex_};
    auto const now = steady_clock::now();
    if (remembers_) {
      recorded_request request{now, std::string{method}, path, connection, {}};
      for (auto const& field : asked) {
        request.headers.emplace_back(std::string{field.name_string()}, std::string{field.value()});
      }
      requests_.push_back(std::move(request));
    }
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

  std::atomic<bool> up_{false};
  tcp::endpoint endpoint_;

  // Used by the server's own thread. The last peers end with io_, so what they use is declared before it.
  std::set<peer*> peers_;
  std::uint64_t outage_ = 0;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  tcp::socket reservation_{io_};
  std::shared_ptr<tcp::acceptor> acceptor_;
  asio::steady_timer outage_timer_{io_};
  std::thread thread_;
};

misbehaving_server::misbehaving_server() try : impl_{std::make_unique<impl>()} {
} catch (boost::system::system_error const& error) {
  throw std::system_error{error.code(), "misbehaving_server"};
}

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
void misbehaving_server::down_for(duration time) { impl_->down_for(time); }
bool misbehaving_server::is_up() const { return impl_->is_up(); }

std::string recorded_request::header(std::string_view name) const {
  for (auto const& [written, value] : headers) {
    if (boost::beast::iequals({written.data(), written.size()}, {name.data(), name.size()})) return value;
  }
  return {};
}

std::size_t misbehaving_server::request_count() const { return impl_->request_count(); }
std::size_t misbehaving_server::request_count(std::string_view path) const { return impl_->request_count(path); }
std::size_t misbehaving_server::connection_count() const { return impl_->connection_count(); }
std::vector<recorded_request> misbehaving_server::requests() const { return impl_->requests(); }

bool misbehaving_server::wait_for_requests(std::size_t count, duration limit) const {
  return impl_->wait_for_requests(count, limit);
}

bool misbehaving_server::wait_for_connections(std::size_t count, duration limit) const {
  return impl_->wait_for_connections(count, limit);
}

}  // namespace demo
