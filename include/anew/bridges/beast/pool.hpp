// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_BEAST_POOL_HPP
#define ANEW_BRIDGES_BEAST_POOL_HPP

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/beast/connection.hpp"
#include "anew/policies/sources/std_clock.hpp"
#include "anew/roles/clock.hpp"

namespace anew::inline ANEW_ABI::beast {

/// The bounds of a `basic_pool`.
struct pool_limits {
  std::size_t most = 8;                      ///< connections at a time, from 1; a further request waits for one
  duration idle = std::chrono::seconds{60};  ///< a connection without a request for as long is closed
};

namespace detail {

/// One request over a connection of the pool: waits for one, uses it, gives it back.
template <class Pool, class Request>
class pool_operation {
  using error_code = ::boost::system::error_code;
  using exchange_type = typename Pool::exchange_type;

 public:
  pool_operation(Pool& pool, Request& request, bool fresh) noexcept : pool_{&pool}, request_{&request}, fresh_{fresh} {}

  void operator()(auto& self) {
    if (pool_->can_take()) return use(self, pool_->take());
    auto const place_in_line = pool_->waiting_.emplace(pool_->waiting_.end(), pool_->executor_, pool_->none());
    waits_ = place_in_line;
    place_in_line->turn.async_wait(std::move(self));
  }
  void operator()(auto& self, error_code /*of the timer*/) {
    auto const member = waits_->got;
    bool const has_one = member != pool_->none();
    auto& line = has_one ? pool_->served_ : pool_->waiting_;
    line.erase(waits_);
    if (has_one && self.cancelled() == ::boost::asio::cancellation_type::none) return use(self, member);
    if (has_one) pool_->give_back(member);
    self.complete(exchange_type{{::boost::asio::error::operation_aborted, 0, false, std::nullopt, true}, {}});
  }
  void operator()(auto& self, exchange_type result) {
    pool_->give_back(member_);
    self.complete(std::move(result));
  }

 private:
  void use(auto& self, typename Pool::members::iterator member) {
    member_ = member;
    if (fresh_) member->connection.close();
    member->connection.async_request(attempt{attempt::parts{}}, *request_, std::move(self));
  }

  Pool* pool_;
  Request* request_;
  bool fresh_;
  typename Pool::members::iterator member_{};
  typename Pool::line::iterator waits_{};
};

}  // namespace detail

/// Connections to one host for many requests at a time. Use it like a `connection`:
///
///     anew::beast::pool to_server{executor, "127.0.0.1", "8080", {.most = 4, .idle = 30s}};
///     auto const ask = [&](anew::attempt& self, auto token) {
///       return to_server.async_request(self, request, std::move(token));
///     };
///
/// A request takes the connection that was used last, or opens one, or waits in line where there are `most`. An attempt's limit
/// and a cancellation end that wait: nothing has been sent. Two attempts of a hedge use two connections. A connection that the
/// server has closed meanwhile is opened again, without an attempt.
///
/// Connections beyond their `idle` time are closed at the next request, at the end of one, or by `close_idle()`; the pool keeps
/// no timer, so an event loop without work returns. `ClockPolicy` measures the idle time.
///
/// Use its members from one thread at a time, or from a strand, whose executor you pass to the constructor. The pool and the
/// requests must stay until all have completed.
/// Cost: a node of a list for a connection, and another for a request that waits
/// Choose it for a client with concurrent calls; one `connection` for calls in a row; a pool for each thread, not one for all.
template <class Connection = connection, Clock ClockPolicy = std_clock<std::chrono::steady_clock>>
class basic_pool : pinned::immovable<basic_pool<Connection, ClockPolicy>> {
 public:
  using exchange_type = typename Connection::exchange_type;
  using executor_type = typename Connection::executor_type;
  using security_type = typename Connection::security_type;

  basic_pool(executor_type executor, std::string host, std::string port, security_type security,
             pool_limits limits = {}, ClockPolicy clock = {})
      : executor_{std::move(executor)},
        host_{std::move(host)},
        port_{std::move(port)},
        security_{security},
        limits_{limits},
        clock_{std::move(clock)} {
    anew::detail::require(!host_.empty(), "beast::pool", "the host must be a name or an address", "empty");
    anew::detail::require(limits.most > 0, "beast::pool", "most must be at least 1", limits.most);
    anew::detail::require(limits.idle >= duration::zero(), "beast::pool", "idle must not be negative", limits.idle);
  }
  basic_pool(executor_type executor, std::string host, std::string port, pool_limits limits = {},
             ClockPolicy clock = {})
      : basic_pool{std::move(executor), std::move(host), std::move(port), security_type{}, limits, std::move(clock)} {}

  [[nodiscard]] executor_type get_executor() const noexcept { return executor_; }
  /// How many connections there are, and how many of them have no request.
  [[nodiscard]] std::size_t size() const noexcept { return busy_.size() + free_.size(); }
  [[nodiscard]] std::size_t idle() const noexcept { return free_.size(); }
  /// How many requests wait for a connection.
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }

  /// As `basic_connection::async_request`. The code is `operation_aborted` if the attempt ended in the line.
  template <class Request, class Token>
  auto async_request(attempt const& self, Request& request, Token&& token) {
    return ::boost::asio::async_compose<Token, void(exchange_type)>(
        detail::pool_operation<basic_pool, Request>{*this, request, self.connection() == connection_hint::fresh}, token,
        executor_);
  }
  /// Closes the connections that have been idle for `idle` or longer.
  void close_idle() {
    auto const now = clock_.now();
    while (!free_.empty() && anew::detail::saturating_subtract(now, free_.back().since) >= limits_.idle) {
      free_.pop_back();
    }
  }

 private:
  template <class Pool, class Request>
  friend class detail::pool_operation;
  struct pooled {
    explicit pooled(basic_pool const& of) : connection{of.executor_, of.host_, of.port_, of.security_} {}
    Connection connection;
    time_point since{};  // since when it is idle
  };
  using members = std::list<pooled>;
  struct waiter {
    waiter(executor_type const& executor, typename members::iterator none)
        : turn{executor, ::boost::asio::steady_timer::time_point::max()}, got{none} {}
    ::boost::asio::steady_timer turn;  // cancelled when a connection is free
    typename members::iterator got;
  };
  using line = std::list<waiter>;

  [[nodiscard]] typename members::iterator none() noexcept { return busy_.end(); }
  [[nodiscard]] bool can_take() {
    close_idle();
    return !free_.empty() || busy_.size() < limits_.most;
  }
  [[nodiscard]] typename members::iterator take() {
    if (free_.empty()) return busy_.emplace(busy_.begin(), *this);
    busy_.splice(busy_.begin(), free_, free_.begin());
    return busy_.begin();
  }
  void give_back(typename members::iterator member) {
    if (!waiting_.empty()) {
      waiting_.front().got = member;
      waiting_.front().turn.cancel();
      return served_.splice(served_.end(), waiting_, waiting_.begin());
    }
    if (!member->connection.is_open()) {
      busy_.erase(member);
      return;
    }
    member->since = clock_.now();
    free_.splice(free_.begin(), busy_, member);
    close_idle();
  }

  executor_type executor_;
  std::string host_;
  std::string port_;
  security_type security_;
  pool_limits limits_;
  members free_;  // used last first
  members busy_;
  line waiting_;
  line served_;  // were given one, and have not resumed yet
  ANEW_NO_UNIQUE_ADDRESS ClockPolicy clock_;
};

using pool = basic_pool<>;

}  // namespace anew::inline ANEW_ABI::beast

#endif
