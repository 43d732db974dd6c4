// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_COARSE_TIMERS_HPP
#define ANEW_BRIDGES_ASIO_COARSE_TIMERS_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/internal/timer_wheel.hpp"
#include "anew/bridges/asio/timer_source.hpp"

namespace anew::inline ANEW_ABI {

/// One timer of the system for all waits of all calls that share it.
///
///     anew::coarse_timers const timers{context, 10ms};
///     anew::async_retry(timers, strategy, operation, token);
///
/// Coarse: a wait ends at the end of a tick, never early, and up to one tick late (and as much later as the loop is busy).
/// Models: TimerSource. Takes an executor, an execution context or another source, whose timer it uses and whose `now()`,
/// where it has one, is the time; else the time is `steady_clock`.
/// Requires: a tick above zero; throws `std::invalid_argument` otherwise. A copy shares the timer. Destroy the last copy, as
/// any object with a timer, before the context.
/// Threads: any thread, executor or strand may use it; a lock is held for each wait that begins or is cancelled.
/// Cost: a wait that is cancelled in time, such as that of an attempt timeout, makes no system call and no allocation. While
/// something waits, the loop wakes up once a tick, so `run()` may return a tick later. 16 KiB. A wait of more than 1,024
/// ticks is looked at once in 1,024 ticks.
/// Choose it where many calls have an attempt timeout or a hedge, which seldom comes. Not for backoffs of less than some ticks,
/// which would be rounded up together, nor with threads that contend for its lock: give each loop its own.
/// Source: Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", 1987 (scheme 6).
template <class Source>
class coarse_timers {
  using wheel = detail::timer_wheel<Source>;

 public:
  /// For one wait at a time, while a copy of what made it exists.
  class timer_type : detail::wheel_wait {
    /// That of a call on any executor of Asio's.
    static constexpr std::size_t room = 96;
    template <class Handler>
    static constexpr bool fits = sizeof(Handler) <= room && alignof(Handler) <= alignof(std::max_align_t);

   public:
    explicit timer_type(wheel& of) noexcept : wheel_{of} {}
    timer_type(timer_type const&) = delete;
    timer_type& operator=(timer_type const&) = delete;
    ~timer_type() { forget(); }

    void expires_after(duration after) {
      cancel();
      after_ = after;
    }
    /// Calls the handler on its executor, or on that of the source.
    template <class Handler>
    void async_wait(Handler handler) {
      using kept = std::conditional_t<fits<Handler>, Handler, std::unique_ptr<Handler>>;
      if constexpr (fits<Handler>) {
        ::new (static_cast<void*>(space_)) kept{std::move(handler)};
      } else {
        ::new (static_cast<void*>(space_)) kept{std::make_unique<Handler>(std::move(handler))};
      }
      this->end = [](detail::wheel_wait& wait, wheel_lock& lock, net_error_code const* with) {
        auto& self = static_cast<timer_type&>(wait);
        auto& held = *std::launder(reinterpret_cast<kept*>(self.space_));
        kept moved{std::move(held)};
        held.~kept();
        if (with == nullptr) return lock.unlock();
        auto const executor = self.wheel_.get_executor();
        lock.unlock();  // the timer may be destroyed from here on
        net_error_code const code = *with;
        if constexpr (fits<Handler>) {
          net::post(executor, net::append(std::move(moved), code));
        } else {
          net::post(executor, net::append(std::move(*moved), code));
        }
      };
      is_set_ = true;
      wheel_.add(*this, after_);
    }
    void cancel() {
      if (!std::exchange(is_set_, false)) return;
      net_error_code const aborted = net::error::operation_aborted;
      wheel_.remove(*this, &aborted);
    }
    /// Destroys the handler of the pending wait uncalled. One that is on its way to its executor is called.
    void forget() {
      if (std::exchange(is_set_, false)) wheel_.remove(*this, nullptr);
    }

   private:
    using wheel_lock = detail::wheel_lock;

    wheel& wheel_;
    duration after_{};
    bool is_set_ = false;  ///< whether a wait was begun, which may have ended
    alignas(std::max_align_t) std::byte space_[room];
  };

  coarse_timers(Source source, duration tick) : wheel_{std::make_shared<wheel>(std::move(source), tick)} {}
  template <detail::SaysWhere Where>
    requires(!std::is_same_v<std::remove_cvref_t<Where>, Source>)
  coarse_timers(Where&& where, duration tick) : coarse_timers{detail::timers_of(std::forward<Where>(where)), tick} {}

  [[nodiscard]] auto get_executor() const noexcept { return wheel_->get_executor(); }
  [[nodiscard]] timer_type make_timer() const noexcept { return timer_type{*wheel_}; }

 private:
  std::shared_ptr<wheel> wheel_;
};

template <detail::SaysWhere Where>
coarse_timers(Where&& where, duration tick) -> coarse_timers<decltype(detail::timers_of(std::declval<Where>()))>;

}  // namespace anew::inline ANEW_ABI

#endif
