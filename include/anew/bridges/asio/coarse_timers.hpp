// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_COARSE_TIMERS_HPP
#define ANEW_BRIDGES_ASIO_COARSE_TIMERS_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/timer_source.hpp"

/// Waits of coarse timers, in slots of a tick each.
namespace anew::inline ANEW_ABI::detail {

/// It does not survive a fork; as with Asio's own locks, a loop continues in one of the processes.
using wheel_lock = std::unique_lock<std::mutex>;

struct wheel_link : pinned::immovable<wheel_link> {
  wheel_link() noexcept : next{this}, before{this} {}

  [[nodiscard]] bool is_linked() const noexcept { return next != this; }
  void unlink() noexcept {
    before->next = next;
    next->before = before;
    next = before = this;
  }
  void append(wheel_link& one) noexcept {
    one.before = before;
    one.next = this;
    before = before->next = &one;
  }

  wheel_link* next;
  wheel_link* before;
};

struct wheel_wait : wheel_link {
  std::uint64_t due = 0;  ///< the tick
  /// Takes the handler out under the lock, unlocks, and posts the handler with the code; null: destroys it.
  void (*end)(wheel_wait& self, wheel_lock& lock, net_error_code const* with) = nullptr;
};

template <class Source>
class timer_wheel : public std::enable_shared_from_this<timer_wheel<Source>> {
  static constexpr std::uint64_t slots = 1024;

  /// The end of a tick; destroyed uncalled, the loop is gone.
  struct on_tick {
    explicit on_tick(std::shared_ptr<timer_wheel> wheel) noexcept : of{std::move(wheel)} {}
    on_tick(on_tick&&) noexcept = default;
    on_tick(on_tick const&) = delete;
    on_tick& operator=(on_tick const&) = delete;
    ~on_tick() {
      if (of != nullptr) of->end_all(nullptr);
    }
    void operator()(net_error_code const& error) {
      auto const wheel = std::exchange(of, nullptr);
      error ? wheel->end_all(&error) : wheel->turn();
    }
    std::shared_ptr<timer_wheel> of;
  };

 public:
  timer_wheel(Source source, duration tick)
      : source_{std::move(source)}, timer_{source_.make_timer()}, tick_{tick}, start_{time()} {
    if (tick <= duration::zero()) detail::throw_invalid_argument("anew::coarse_timers requires a tick above zero");
  }
  [[nodiscard]] auto get_executor() const noexcept { return source_.get_executor(); }

  void add(wheel_wait& wait, duration after) {
    wheel_lock lock{mutex_};
    auto const elapsed = time() - start_;
    bool const begins = !std::exchange(is_ticking_, true);
    if (begins) now_ = tick_of(elapsed);
    auto const end = detail::saturating_add(elapsed, larger(after, duration::zero()));
    wait.due = std::max(tick_of(end) + (end % tick_ != duration::zero() ? 1U : 0U), now_ + 1);
    slots_[wait.due % slots].append(wait);
    ++waiting_;
    lock.unlock();
    if (begins) arm();
  }
  void remove(wheel_wait& wait, net_error_code const* with) {
    if (wheel_lock lock{mutex_}; wait.is_linked()) finish(wait, lock, with);
  }

 private:
  [[nodiscard]] time_point time() const {
    if constexpr (requires { source_.now(); }) return source_.now();
    return std::chrono::time_point_cast<duration>(std::chrono::steady_clock::now());
  }
  [[nodiscard]] std::uint64_t tick_of(duration since) const noexcept {
    return static_cast<std::uint64_t>(since / tick_);
  }

  /// Without the lock, and by the thread that set `is_ticking_`. Where it throws, the tick ends all waits.
  void arm() {
    on_tick tick{this->shared_from_this()};
    timer_.expires_after(tick_ - (time() - start_) % tick_);
    timer_.async_wait(std::move(tick));
  }
  void finish(wheel_wait& wait, wheel_lock& lock, net_error_code const* with) {
    wait.unlink();
    --waiting_;
    wait.end(wait, lock, with);
  }
  void finish_all(wheel_link& list, wheel_lock& lock, net_error_code const* with) {
    while (list.is_linked()) {
      finish(static_cast<wheel_wait&>(*list.next), lock, with);
      lock.lock();
    }
  }
  void turn() {
    wheel_lock lock{mutex_};
    auto const until = tick_of(time() - start_);
    std::size_t ended = 0;
    // After a pause of the loop each slot is due once.
    for (auto at = until - std::min(until - now_, slots); at++ != until;) {
      auto& slot = slots_[at % slots];
      for (auto* one = slot.next; one != &slot;) {
        auto* const wait = std::exchange(one, one->next);
        if (static_cast<wheel_wait*>(wait)->due > until) continue;
        wait->unlink();
        due_.append(*wait);
        ++ended;
      }
    }
    now_ = until;
    bool const goes_on = is_ticking_ = waiting_ != ended;
    net_error_code const none{};
    finish_all(due_, lock, &none);
    lock.unlock();
    if (goes_on) arm();
  }
  void end_all(net_error_code const* with) {
    wheel_lock lock{mutex_};
    is_ticking_ = false;
    finish_all(due_, lock, with);
    for (auto& slot : slots_) finish_all(slot, lock, with);
  }

  Source source_;
  std::remove_cvref_t<decltype(std::declval<Source const&>().make_timer())> timer_;
  duration const tick_;
  time_point const start_;
  std::mutex mutex_;
  wheel_link slots_[slots];
  wheel_link due_;  ///< of a turn; a member, so that a wait can be removed from it
  std::uint64_t now_ = 0;
  std::size_t waiting_ = 0;
  bool is_ticking_ = false;
};

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI {

/// One timer of the system for all waits of all calls that share it.
///
///     anew::coarse_timers const timers{context, 10ms};
///     anew::async_retry(timers, strategy, operation, token);
///
/// Coarse: a wait ends at the end of a tick, never early, and up to one tick late (and as much later as the loop is busy).
/// Models: TimerSource. Takes an executor, an execution context or another source, whose timer it uses and whose `now()`,
/// where it has one, is the time, which must never go back; else the time is `steady_clock`.
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
        held.~kept();  // NOLINT(bugprone-use-after-move)
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
