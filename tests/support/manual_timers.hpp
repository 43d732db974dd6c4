// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_MANUAL_TIMERS_HPP
#define ANEW_TESTS_SUPPORT_MANUAL_TIMERS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/timer_source.hpp"

#include "pinned.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio/any_io_executor.hpp>
#include <asio/append.hpp>
#include <asio/associated_allocator.hpp>
#include <asio/error.hpp>
#include <asio/post.hpp>
#else
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#endif

namespace support {

/// Time for asynchronous waits that stands still until a test moves it. A wait that is over, or cancelled, posts its
/// handler; nothing is called inside `advance()` or `cancel()`. One that is still pending when this is destroyed is
/// abandoned: its handler is destroyed and never called. For one thread.
class manual_time : public pinned {
  /// What pends: in memory of its handler's allocator, as Asio's own waits are.
  struct wait : pinned {
    virtual void finish(anew::net_error_code error) = 0;
    virtual void abandon() noexcept = 0;

   protected:
    ~wait() = default;
  };

  template <class Handler>
  struct wait_of final : wait {
    using allocator =
        typename std::allocator_traits<anew::net::associated_allocator_t<Handler>>::template rebind_alloc<wait_of>;

    wait_of(anew::net::any_io_executor const& executor, Handler&& handler)
        : executor_{executor}, handler_{std::move(handler)} {}

    static wait* make(anew::net::any_io_executor const& executor, Handler&& handler) {
      allocator memory{anew::net::get_associated_allocator(handler)};
      return ::new (static_cast<void*>(memory.allocate(1))) wait_of{executor, std::move(handler)};
    }
    void finish(anew::net_error_code error) override {
      auto executor = executor_;
      auto handler = free();
      anew::net::post(executor, anew::net::append(std::move(handler), error));
    }
    void abandon() noexcept override { [[maybe_unused]] auto const gone = free(); }

   private:
    // The memory goes first, as with Asio's own operations.
    Handler free() {
      allocator memory{anew::net::get_associated_allocator(handler_)};
      Handler handler{std::move(handler_)};
      this->~wait_of();
      memory.deallocate(this, 1);
      return handler;
    }
    ~wait_of() = default;

    anew::net::any_io_executor executor_;
    Handler handler_;
  };

  using place = std::pair<anew::time_point, std::uint64_t>;  // those of one moment in the order in which they began

  struct state {
    explicit state(anew::net::any_io_executor on) : executor{std::move(on)} {}

    void fire(std::map<place, wait*>::iterator at, anew::net_error_code error) {
      auto* const one = at->second;
      pending.erase(at);
      one->finish(error);
    }

    anew::net::any_io_executor executor;
    anew::time_point now{anew::duration{1'000'000'000}};
    std::map<place, wait*> pending;
    std::uint64_t timers = 0;
    std::uint64_t waits = 0;
    bool is_closed = false;
  };

 public:
  /// For one wait at a time.
  struct timer {
    explicit timer(std::shared_ptr<state> of) : state_{std::move(of)}, place_{state_->now, 0} { ++state_->timers; }
    timer(timer&&) = default;
    timer& operator=(timer&&) = delete;
    ~timer() {
      if (state_ != nullptr) cancel();
    }

    void expires_after(anew::duration by) {
      cancel();
      place_ = {anew::detail::saturating_add(state_->now, by), 0};
    }
    void cancel() {
      auto const at = state_->pending.find(place_);
      if (at != state_->pending.end()) state_->fire(at, anew::net::error::operation_aborted);
    }
    template <class Handler>
    void async_wait(Handler handler) {
      if (state_->is_closed) return;
      place_.second = ++state_->waits;
      state_->pending.emplace(place_, wait_of<Handler>::make(state_->executor, std::move(handler)));
    }

   private:
    std::shared_ptr<state> state_;
    place place_;
  };

  /// What is handed to a call.
  struct source {
    explicit source(std::shared_ptr<state> of) : state_{std::move(of)} {}
    [[nodiscard]] anew::net::any_io_executor get_executor() const { return state_->executor; }
    [[nodiscard]] timer make_timer() const { return timer{state_}; }
    [[nodiscard]] anew::time_point now() const { return state_->now; }

   private:
    std::shared_ptr<state> state_;
  };

  explicit manual_time(anew::net::any_io_executor executor) : state_{std::make_shared<state>(std::move(executor))} {}
  ~manual_time() { close(); }

  /// No wait begins any more, and those that are pending are abandoned.
  void close() {
    state_->is_closed = true;
    // What is abandoned may take other waits with it.
    while (!state_->pending.empty()) {
      auto* const one = state_->pending.begin()->second;
      state_->pending.erase(state_->pending.begin());
      one->abandon();
    }
  }

  [[nodiscard]] source timers() const { return source{state_}; }

  /// Lets time pass: every wait that is over then posts its handler, in the order of their moments.
  void advance(anew::duration by) {
    auto const until = anew::detail::saturating_add(state_->now, by);
    while (!state_->pending.empty() && state_->pending.begin()->first.first <= until) {
      state_->now = anew::detail::larger(state_->now, state_->pending.begin()->first.first);
      state_->fire(state_->pending.begin(), {});
    }
    state_->now = until;
  }

  /// How long until the first wait is over; requires one that is pending.
  [[nodiscard]] anew::duration until_next() const { return state_->pending.begin()->first.first - state_->now; }
  [[nodiscard]] std::size_t pending() const noexcept { return state_->pending.size(); }
  /// How many timers were made, and how many waits began.
  [[nodiscard]] std::uint64_t timers_made() const noexcept { return state_->timers; }
  [[nodiscard]] std::uint64_t waits_begun() const noexcept { return state_->waits; }

 private:
  std::shared_ptr<state> state_;
};

/// A source of timers whose waits end early, and nobody asked them to.
struct closed_timers {
  struct timer {
    anew::net::any_io_executor executor;
    bool is_short_of_memory;
    void expires_after(anew::duration /*by*/) {}
    void cancel() {}
    void async_wait(auto handler) {
      if (is_short_of_memory) throw std::bad_alloc{};
      anew::net::post(executor,
                      anew::net::append(std::move(handler), anew::net_error_code{anew::net::error::operation_aborted}));
    }
  };
  anew::net::any_io_executor executor;
  bool is_short_of_memory = false;
  [[nodiscard]] anew::net::any_io_executor get_executor() const { return executor; }
  [[nodiscard]] timer make_timer() const { return {executor, is_short_of_memory}; }
};

}  // namespace support

#endif
