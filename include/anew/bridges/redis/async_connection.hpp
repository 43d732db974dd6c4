// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_ASYNC_CONNECTION_HPP
#define ANEW_BRIDGES_REDIS_ASYNC_CONNECTION_HPP

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/redis/internal/with_hiredis.hpp"
#include "anew/bridges/redis/result.hpp"
#ifdef ANEW_STANDALONE_ASIO
#include <asio/posix/stream_descriptor.hpp>
#else
#include <boost/asio/posix/stream_descriptor.hpp>
#endif

/// Commands of hiredis on Asio, over a connection that opens itself again.
namespace anew::inline ANEW_ABI::redis {

namespace detail {

/// hiredis frees the reply of a callback after it: this takes the content away.
inline redisReply* taken(redisReply& from) {
#if HIREDIS_MAJOR >= 1
  auto* const mine = static_cast<redisReply*>(hi_malloc(sizeof(redisReply)));
#else
  auto* const mine = static_cast<redisReply*>(std::malloc(sizeof(redisReply)));  // NOLINT(*-no-malloc)
#endif
  if (mine == nullptr) anew::detail::out_of_memory();
  *mine = std::exchange(from, {});
  from.type = REDIS_REPLY_INTEGER;  // which owns nothing
  return mine;
}

inline constexpr char const* destroyed = "the connection was destroyed";

/// One context of hiredis, whose socket Asio watches. Asio's waits keep it.
class async_link : public std::enable_shared_from_this<async_link> {
 public:
  struct command {
    std::function<void(result)> done{};
    async_link* sent_by = nullptr;
    std::shared_ptr<command> at_hiredis{};  ///< itself, until hiredis has called back
  };

  async_link(redisAsyncContext* of, net::any_io_executor const& executor) : of_{of}, socket_{executor} {}
  async_link(async_link const&) = delete;
  async_link& operator=(async_link const&) = delete;
  ~async_link() { drop(); }

  void begin() {
    of_->ev = {this, &watches<0>, &ignores<0>, &watches<1>, &ignores<1>, &cleanup};
    if (of_->err != 0) return;
    socket_.assign(of_->c.fd);
    watch(1);
  }
  [[nodiscard]] bool is_usable() const {
    return of_ != nullptr && !is_retired_ && of_->err == 0 &&
           (of_->c.flags & (REDIS_DISCONNECTING | REDIS_FREEING)) == 0;
  }
  void send(std::shared_ptr<command> const& next, std::string const& text) {
    next->sent_by = this;
    next->at_hiredis = next;
    ++waiting_;
    if (is_usable() && redisAsyncFormattedCommand(of_, &on_reply, next.get(), text.data(), text.size()) == REDIS_OK)
      return;
    on_reply(of_, nullptr, next.get());
  }
  /// Completes it. A server that is late may stay so: the next command takes a new connection. The old one closes when it
  /// owes no more replies, or at once if it would still send what is reported as not sent.
  static void abandon(command& late) {
    auto const done = std::exchange(late.done, nullptr);
    if (!done) return;
    auto* const by = late.sent_by;
    bool const was_sent = by != nullptr && by->is_connected();
    if (by != nullptr) {
      by->is_retired_ = true;
      if (!was_sent || by->waiting_ == 1) redisAsyncFree(by->of_);
    }
    done(result{"the attempt was cancelled", was_sent ? retry_safety::maybe : retry_safety::yes});
  }
  /// Closes it; the commands complete after this function has returned.
  void drop() {
    is_dropped_ = true;
    if (of_ != nullptr) redisAsyncFree(of_);
  }

 private:
  [[nodiscard]] bool is_connected() const { return (of_->c.flags & REDIS_CONNECTED) != 0; }

  void watch(std::size_t way) {
    is_wanted_[way] = true;
    if (std::exchange(is_watched_[way], true)) return;
    auto const kind = way == 0 ? socket_type::wait_read : socket_type::wait_write;
    socket_.async_wait(kind, [self = shared_from_this(), way](net_error_code /*hiredis finds it*/) {
      self->is_watched_[way] = false;
      if (self->of_ == nullptr) return;
      without_sigpipe([&] { way == 0 ? redisAsyncHandleRead(self->of_) : redisAsyncHandleWrite(self->of_); });
      if (self->of_ != nullptr && self->is_wanted_[way]) self->watch(way);
    });
  }
  template <std::size_t Way>
  static void watches(void* self) {
    static_cast<async_link*>(self)->watch(Way);
  }
  template <std::size_t Way>
  static void ignores(void* self) {
    static_cast<async_link*>(self)->is_wanted_[Way] = false;
  }
  static void cleanup(void* self) {
    auto& link = *static_cast<async_link*>(self);
    link.of_ = nullptr;
    if (link.socket_.is_open()) (void)link.socket_.release();  // hiredis closes it
  }
  static void on_reply(redisAsyncContext* of, void* reply, void* sent) {
    auto const self = std::exchange(static_cast<command*>(sent)->at_hiredis, nullptr);
    auto& link = *self->sent_by;
    auto const done = std::exchange(self->done, nullptr);
    if (--link.waiting_ == 0 && link.is_retired_) redisAsyncFree(of);  // after this callback
    if (!done) return;
    if (link.is_dropped_) {
      auto const safety = link.is_connected() ? retry_safety::maybe : retry_safety::yes;
      return net::post(link.socket_.get_executor(), [done, safety] { done(result{destroyed, safety}); });
    }
    if (reply != nullptr) return done(result{&of->c, taken(*static_cast<redisReply*>(reply))});
    done(link.is_connected() ? result{&of->c, nullptr} : result::not_sent(&of->c));
  }

  using socket_type = net::posix::stream_descriptor;
  redisAsyncContext* of_;
  socket_type socket_;
  std::size_t waiting_ = 0;  ///< commands without a reply
  std::array<bool, 2> is_wanted_{}, is_watched_{};
  bool is_retired_ = false, is_dropped_ = false;
};

/// The part of a connection that its operations share.
class async_client : public std::enable_shared_from_this<async_client> {
 public:
  async_client(net::any_io_executor executor, std::function<redisAsyncContext*()> connect)
      : executor_{std::move(executor)}, connect_{std::move(connect)} {}

  void send(std::string const& text, auto handler) {
    auto const next = std::make_shared<async_link::command>();
    if (auto slot = net::get_associated_cancellation_slot(handler); slot.is_connected()) {
      slot.assign([next, on = executor_](net::cancellation_type /*type*/) {
        net::dispatch(on, [next] { async_link::abandon(*next); });
      });
    }
    next->done = std::move(handler);
    net::dispatch(executor_, [self = shared_from_this(), next, text] {
      if (!next->done) return;  // cancelled meanwhile
      if (!self->connect_) return std::exchange(next->done, nullptr)(result{destroyed, retry_safety::no});
      if (!self->link_ || !self->link_->is_usable()) self->open();
      auto const link = self->link_;
      link->send(next, text);
    });
  }
  void close() {
    connect_ = nullptr;
    if (auto const link = std::exchange(link_, nullptr)) link->drop();
  }

 private:
  void open() {
    auto* const made = connect_();
    if (made == nullptr) anew::detail::out_of_memory();
    link_ = std::make_shared<async_link>(made, executor_);
    link_->begin();
  }

  net::any_io_executor executor_;
  std::function<redisAsyncContext*()> connect_;
  std::shared_ptr<async_link> link_{};
};

}  // namespace detail

/// A connection of hiredis's asynchronous API on Asio, for the operations of `async_execute`. It is opened by the first
/// command, and again by the first one after it broke.
///
///     anew::redis::async_connection redis{context.get_executor(), [] { return redisAsyncConnect("127.0.0.1", 6379); }};
///     anew::async_retry(context, strategy,
///                       anew::idempotent(anew::redis::async_execute(redis, "SET %s %s", key, value)), token);
///
/// `connect` returns what hiredis made. Commands that each new connection needs, AUTH and SELECT, it sends itself:
/// `redisAsyncCommand(made, nullptr, nullptr, "AUTH %s", password)`. Commands are pipelined. After an attempt that its
/// time-out or a stop cancelled, the next command opens another connection; the other commands on the old one stay there,
/// unless it is not open yet.
///
/// An open connection keeps the loop of its context running, because Asio watches for its end: destroy it to let `run()` return.
/// Commands that wait then complete with a failure, and an attempt that begins later has a final one.
///
/// Requires: POSIX; an executor that runs one handler at a time (a strand, or a context with one thread), on which the connection
/// is destroyed too. Any thread may begin a call. A server that you trust: hiredis takes its word for the length of a reply.
/// Choose it where Asio waits, and `execute` where a thread may block. Do not send SUBSCRIBE or MONITOR, which reply more than once.
class async_connection : pinned::immovable<async_connection> {  // NOLINT(*-special-member-functions): the base has them
 public:
  async_connection(net::any_io_executor executor, std::function<redisAsyncContext*()> connect) {
    anew::detail::require(connect != nullptr, "redis::async_connection", "connect must be a function", "empty");
    client_ = std::make_shared<detail::async_client>(std::move(executor), std::move(connect));
  }
  ~async_connection() {
    if (client_) client_->close();
  }

 private:
  template <class... Arguments>
  friend auto async_execute(async_connection& on, char const* format, Arguments... arguments);

  std::shared_ptr<detail::async_client> client_{};
};

}  // namespace anew::inline ANEW_ABI::redis

#endif
