// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_CONNECTION_HPP
#define ANEW_LOAD_CONNECTION_HPP

// One request and its answer over connections that are kept: an operation of Asio as any other.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/coroutine.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include "anew/base/attempt.hpp"

#include "reply.hpp"
#include "series.hpp"
#include "single_connection.hpp"
#include "target.hpp"
#include "tls.hpp"

namespace anew_load {

/// The attempts of measured calls.
struct attempt_counts {
  std::uint64_t begun = 0;
  std::uint64_t requests = 0;             // of those, as many came as far as sending their request
  std::uint64_t missing_descriptors = 0;  // while warming up, too
  std::uint64_t connections = 0;          // the same
  std::array<std::uint64_t, number_of_outcomes> ended{};
  std::string refusal;  // of the first certificate that was refused

  attempt_counts& operator+=(attempt_counts const& other);
};

/// How connections are made and used.
struct connection_rules {
  tls_context* tls = nullptr;
  std::uint64_t most_requests = 0;  // over one connection; 0: any number
  silence_limits silence;
};

/// The connections of one thread for one strategy. One that is free is used again, the one that was used last first.
class connections {
 public:
  connections(net::io_context& io, connection_rules rules, std::size_t origins)
      : io_{&io}, rules_{rules}, free_(origins) {}

  /// One that must be fresh takes the place of the one that was used last, which is most likely the one that failed. One
  /// that the server has closed is thrown away: a client that sends a request into it measures itself.
  [[nodiscard]] std::shared_ptr<connection> take(errand const& what, anew::connection_hint hint) {
    if (what.is_measured) ++counts_.begun;
    bool const may_keep = hint == anew::connection_hint::reuse;
    auto& free = free_[what.to->origin];
    while (!free.empty()) {
      auto last = std::move(free.back());
      free.pop_back();
      if (!may_keep) break;
      if (is_good(*last)) return last;
    }
    auto made = std::make_shared<connection>(*io_, counts_.connections);
    watched_.push_back(*made);
    return made;
  }
  /// Ends what has made no progress for too long.
  void end_stalled(watched::clock::time_point now) {
    for (auto& one : watched_) {
      if (one.is_stalled(now, rules_.silence)) static_cast<connection&>(one).give_up();
    }
  }
  void give_back(errand const& what, std::shared_ptr<connection> one) {
    just_back_ = one.get();
    free_[what.to->origin].push_back(std::move(one));
  }
  /// The event loop goes on: from now on the server may have closed what was given back.
  void let_go() noexcept { just_back_ = nullptr; }
  [[nodiscard]] connection_rules const& rules() const noexcept { return rules_; }

  [[nodiscard]] net::io_context& io() const noexcept { return *io_; }
  void count_request(errand const& what) noexcept {
    if (what.is_measured) ++counts_.requests;
  }
  void count_refusal(std::string why) {
    if (counts_.refusal.empty()) counts_.refusal = std::move(why);
  }
  void count_missing_descriptor() noexcept { ++counts_.missing_descriptors; }
  void count_end(errand const& what, reply const& got) {
    if (!what.is_measured) return;
    ++counts_.ended[outcome_of(got)];
    if (in_time_.is_kept()) in_time_.attempt_ended(series::clock::now(), outcome_of(got));
  }
  [[nodiscard]] attempt_counts const& counts() const noexcept { return counts_; }
  /// Where the ends of attempts and calls are kept by their time.
  [[nodiscard]] series& in_time() noexcept { return in_time_; }

 private:
  /// A look is a system call. A connection that was given back in this turn of the event loop is used without one, unless
  /// a server here closes connections that it did not announce to close; whether it does is seen from many looks.
  [[nodiscard]] bool is_good(connection& one) {
    constexpr std::uint32_t many = 1000;
    if (!one.is_clean()) return false;
    if (&one == just_back_ && looks_ >= many && !is_closed_silently_) return true;
    looks_ += looks_ < many ? 1 : 0;
    if (one.is_silent()) return true;
    is_closed_silently_ = true;
    return false;
  }

  net::io_context* io_;
  connection_rules rules_;
  connection const* just_back_ = nullptr;
  std::uint32_t looks_ = 0;
  bool is_closed_silently_ = false;
  std::vector<std::vector<std::shared_ptr<connection>>> free_;  // by origin
  watch_list watched_;
  attempt_counts counts_;
  series in_time_;
};

/// Of this process or of the whole system.
[[nodiscard]] bool is_out_of_descriptors(error_code error);

/// A response without its body.
[[nodiscard]] reply reply_of(answer_parser const& answer);
/// The meaning of an error that ends a request.
[[nodiscard]] reply reply_of(error_code error, bool sent, bool is_cancelled, connection const& on);

/// A request among others of the same call. The caller counts how many are under way.
struct beside {
  std::uint32_t* under_way = nullptr;
  bool is_second = false;
};

namespace detail {

/// Connects if need be, sends the request, reads the answer.
class fetch : net::coroutine {
 public:
  fetch(connections& from, errand what, anew::connection_hint hint, anew::duration limit, beside others)
      : from_{&from}, what_{what}, hint_{hint}, limit_{limit}, others_{others} {
    if (others_.under_way != nullptr) ++*others_.under_way;
  }

#include <boost/asio/yield.hpp>
  template <class Self>
  void operator()(Self& self, error_code error = {}, std::size_t bytes = 0) {
    reenter(this) {
      on_ = from_->take(what_, hint_);
      on_->begin(limit_, what_.to->is_head);
      if (!on_->socket().is_open()) {
        for (endpoint_ = 0; endpoint_ != what_.to->endpoints.size(); ++endpoint_) {
          refused_ = on_->open(what_.to->endpoints[endpoint_]);
          if (refused_) {
            yield net::post(from_->io(), std::move(self));
            error = refused_;
          } else {
            yield on_->socket().async_connect(what_.to->endpoints[endpoint_], std::move(self));
          }
          if (!error || is_over(self)) break;
        }
        if (is_out_of_descriptors(error)) from_->count_missing_descriptor();
        if (error || is_over(self)) return fail(self, error, false);
        on_->connected();
        if (what_.to->is_encrypted) {
          yield on_->stream().async_handshake(*from_->rules().tls, *what_.to, std::move(self));
          if (error || is_over(self)) return fail_handshake(self, error);
        }
      }
      on_->exchanges();
      from_->count_request(what_);
      is_last_ = on_->count_request() == from_->rules().most_requests;
      sent_ = on_->send_at_once(request(), error);
      if (!error && sent_ != request().size()) {
        yield net::async_write(on_->stream(), net::buffer(request()) + sent_, std::move(self));
        sent_ += bytes;
      }
      if (error || is_over(self)) return fail(self, error, sent_ != 0);
      do {
        yield on_->stream().async_read_some(on_->room(), std::move(self));
        if (is_over(self)) return fail(self, error, true);
      } while (!on_->has_whole_answer(error, bytes));
      if (error) return fail(self, error, true);
      on_->done();
      auto const got = reply_of(on_->answer());
      if (got.what == trouble::none && !is_last_ && on_->answer().keep_alive()) {
        from_->give_back(what_, std::move(on_));
      }
      complete(self, got);
    }
  }
#include <boost/asio/unyield.hpp>

 private:
  [[nodiscard]] std::string const& request() const noexcept {
    return is_last_ ? what_.to->closing_request : what_.to->request;
  }
  // A time limit or a cancellation may come when what was under way has just succeeded.
  template <class Self>
  bool is_over(Self& self) const {
    return on_->is_too_slow() || !!self.get_cancellation_state().cancelled();
  }
  template <class Self>
  void fail(Self& self, error_code error, bool sent) {
    auto const got = reply_of(error, sent, !!self.get_cancellation_state().cancelled(), *on_);
    on_->done();
    complete(self, got);
  }
  template <class Self>
  void fail_handshake(Self& self, error_code error) {
    if (is_over(self)) return fail(self, error, false);
    reply got;
    auto why = on_->stream().refusal();
    got.what = why.empty() ? trouble::no_tls : trouble::certificate;
    if (!why.empty()) from_->count_refusal(std::move(why));
    on_->done();
    complete(self, got);
  }
  template <class Self>
  void complete(Self& self, reply got) {
    on_.reset();
    got.is_second = others_.is_second;
    from_->count_end(what_, got);
    if (others_.under_way != nullptr) --*others_.under_way;
    auto* const from = from_;
    self.complete(got);  // ends this object
    from->let_go();
  }

  connections* from_;
  errand what_;
  anew::connection_hint hint_;
  anew::duration limit_;
  beside others_;
  std::shared_ptr<connection> on_;
  std::size_t endpoint_ = 0;
  std::size_t sent_ = 0;
  bool is_last_ = false;
  error_code refused_;
};

}  // namespace detail

/// One attempt, of at most `limit`, over a connection of `from`. The signature is void(reply).
template <class Token>
auto async_fetch(connections& from, errand what, anew::connection_hint hint, anew::duration limit, Token&& token,
                 beside others = {}) {
  return net::async_compose<Token, void(reply)>(detail::fetch{from, what, hint, limit, others}, token, from.io());
}

}  // namespace anew_load

#endif
