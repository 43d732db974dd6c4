// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_ASYNC_SCRIPT_HPP
#define ANEW_TESTS_SUPPORT_ASYNC_SCRIPT_HPP

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "anew/asio.hpp"
#include "anew/base/duration.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio/any_io_executor.hpp>
#include <asio/append.hpp>
#include <asio/error.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#else
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#endif

/// What the tests of asynchronous calls are made of: timers that a test moves by hand, and operations with a script.
namespace support {

namespace net = anew::net;
using code = anew::net_error_code;

/// How many threads this process has.
inline std::size_t thread_count() {
  auto const tasks = std::filesystem::directory_iterator{"/proc/self/task"};
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// A source of timers that remembers how long it was asked to wait. A wait is over at once, unless the source holds.
class hand_timers {
  struct waiting {
    virtual ~waiting() = default;
    virtual void complete(code error) = 0;
  };
  template <class Handler>
  struct waiting_for final : waiting {
    waiting_for(Handler&& h, net::any_io_executor ex) : handler{std::move(h)}, executor{std::move(ex)} {}
    void complete(code error) override { net::post(executor, net::append(std::move(handler), error)); }
    Handler handler;
    net::any_io_executor executor;
  };
  struct state {
    net::any_io_executor executor;
    std::vector<anew::duration> waits{};
    int timers = 0;
    bool holds = false;
    std::unique_ptr<waiting> pending{};
  };

 public:
  class timer {
   public:
    explicit timer(std::shared_ptr<state> of) : state_{std::move(of)} { ++state_->timers; }
    void expires_after(anew::duration wait) {
      cancel();
      state_->waits.push_back(wait);
    }
    template <class Handler>
    void async_wait(Handler handler) {
      state_->pending = std::make_unique<waiting_for<Handler>>(std::move(handler), state_->executor);
      if (!state_->holds) fire(*state_);
    }
    void cancel() { end(*state_, net::error::operation_aborted); }

   private:
    std::shared_ptr<state> state_;
  };

  explicit hand_timers(net::any_io_executor executor) : state_{std::make_shared<state>(state{std::move(executor)})} {}
  [[nodiscard]] net::any_io_executor get_executor() const { return state_->executor; }
  [[nodiscard]] timer make_timer() const { return timer{state_}; }

  [[nodiscard]] std::vector<anew::duration> const& waits() const { return state_->waits; }
  [[nodiscard]] int timers() const { return state_->timers; }
  [[nodiscard]] bool is_waiting() const { return state_->pending != nullptr; }
  void hold() const { state_->holds = true; }
  void fire() const { fire(*state_); }
  void fail(code error) const { end(*state_, error); }

 private:
  static void fire(state& of) { end(of, {}); }
  static void end(state& of, code error) {
    if (auto const ended = std::exchange(of.pending, nullptr)) ended->complete(error);
  }
  std::shared_ptr<state> state_;
};

/// An operation's answers, one after another, the last one again and again; with the number of the attempt beside it.
struct script {
  net::any_io_executor executor;
  std::vector<code> answers;
  int made = 0;

  [[nodiscard]] code next() {
    auto const at = static_cast<std::size_t>(made++);
    return answers[at < answers.size() ? at : answers.size() - 1];
  }
};

/// Completes with (error code, number of the attempt).
[[nodiscard]] inline auto scripted(script& of) {
  return [&of](anew::attempt& /*self*/, auto&& token) {
    auto const answer = of.next();
    return net::post(of.executor, net::append(std::forward<decltype(token)>(token), answer, of.made));
  };
}

}  // namespace support

#endif
