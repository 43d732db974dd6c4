// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_COROUTINE_SUPPORT_HPP
#define ANEW_TESTS_SUPPORT_COROUTINE_SUPPORT_HPP

#include <coroutine>
#include <cstddef>
#include <exception>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/result_slot.hpp"
#include "anew/testing/manual_clock.hpp"

#include "pinned.hpp"

/// What the tests of anew/coroutine.hpp are made of: a task and an event loop that are none of the library's.
namespace support {

template <class T>
struct eager_result {
  anew::detail::result_slot<T> slot;
  template <class U>
  void return_value(U&& value) {
    slot.emplace_from([&]() -> T { return static_cast<U&&>(value); });
  }
  T take() { return slot.take(); }
};
template <>
struct eager_result<void> {
  void return_void() noexcept {}
  void take() noexcept {}
};

/// A task that begins when it is made, is awaited by being an awaiter itself, and can be looked at from outside.
/// Its promise counts the frames that are alive. `Library` makes other tasks of it.
template <class T = void, class Library = void>
struct [[nodiscard]] eager {
  struct promise_type : eager_result<T>, pinned {
    static inline int alive = 0;
    std::coroutine_handle<> awaiting{};
#if ANEW_EXCEPTIONS
    std::exception_ptr thrown;
#endif
    promise_type() { ++alive; }
    ~promise_type() { --alive; }
    eager get_return_object() { return eager{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static auto final_suspend() noexcept {
      struct last {
        static bool await_ready() noexcept { return false; }
        static std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept {
          if (h.promise().awaiting) return h.promise().awaiting;
          return std::noop_coroutine();
        }
        static void await_resume() noexcept {}
      };
      return last{};
    }
    void unhandled_exception() noexcept {
#if ANEW_EXCEPTIONS
      thrown = std::current_exception();
#endif
    }
  };

  eager(eager&& other) noexcept : frame_{std::exchange(other.frame_, nullptr)} {}
  eager& operator=(eager&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~eager() {
    if (frame_) frame_.destroy();
  }

  [[nodiscard]] bool await_ready() const noexcept { return frame_.done(); }
  void await_suspend(std::coroutine_handle<> h) noexcept { frame_.promise().awaiting = h; }
  T await_resume() {
#if ANEW_EXCEPTIONS
    if (frame_.promise().thrown) std::rethrow_exception(frame_.promise().thrown);
#endif
    return frame_.promise().take();
  }

  [[nodiscard]] bool done() const noexcept { return frame_.done(); }
  T get() { return await_resume(); }

 private:
  explicit eager(std::coroutine_handle<promise_type> frame) noexcept : frame_{frame} {}
  std::coroutine_handle<promise_type> frame_;
};

/// A queue of (time, handle) under a manual clock. Nothing happens but in `run()` and `step()`.
class manual_loop : public pinned {
  struct entry;
  using queue = std::multimap<anew::time_point, entry*>;
  struct entry {
    std::coroutine_handle<> handle{};
    queue::iterator place{};
    bool is_queued = false;
    bool is_cancelled = false;
  };

 public:
  explicit manual_loop(anew::testing::manual_clock const& clock) : clock_{clock} {}

  /// Throws a system_error with operation_canceled when it was cancelled. Destroyed in the wait it leaves the queue.
  struct timer : public pinned {
    timer(manual_loop& loop, anew::duration delay) : loop_{loop}, delay_{delay} {}
    ~timer() {
      if (entry_.is_queued) loop_.queue_.erase(entry_.place);
    }
    [[nodiscard]] static bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) {
      loop_.delays.push_back(delay_);
      entry_.handle = h;
      entry_.place = loop_.queue_.emplace(anew::detail::saturating_add(loop_.clock_.peek(), delay_), &entry_);
      entry_.is_queued = true;
    }
    void await_resume() const {
#if ANEW_EXCEPTIONS
      if (entry_.is_cancelled) throw std::system_error{std::make_error_code(std::errc::operation_canceled)};
#endif
    }

   private:
    manual_loop& loop_;
    anew::duration delay_;
    entry entry_{};
  };

  [[nodiscard]] timer after(anew::duration delay) { return {*this, delay}; }
  /// A sleep for `retry()`.
  [[nodiscard]] auto sleep() {
    return [this](anew::duration delay) { return after(delay); };
  }

  /// The next timer fires, at its time. False when there is none.
  bool step() {
    if (queue_.empty()) return false;
    auto const first = queue_.begin();
    auto* const next = first->second;
    if (first->first > clock_.peek()) clock_.set(first->first);
    queue_.erase(first);
    next->is_queued = false;
    next->handle.resume();
    return true;
  }
  void run() {
    while (step()) continue;
  }
  /// All that wait now are resumed, with an exception.
  void cancel() {
    for (auto& [when, one] : queue_) one->is_cancelled = true;
    for (auto left = queue_.size(); left > 0; --left) step();
  }
  [[nodiscard]] std::size_t waiting() const noexcept { return queue_.size(); }

  std::vector<anew::duration> delays{};

 private:
  anew::testing::manual_clock clock_;
  queue queue_{};
};

/// Ready at once, with this value.
template <class T>
struct ready {
  T value;
  [[nodiscard]] static bool await_ready() noexcept { return true; }
  static void await_suspend(std::coroutine_handle<> /*h*/) noexcept {}
  T await_resume() { return static_cast<T&&>(value); }
};
template <>
struct ready<void> {
  [[nodiscard]] static bool await_ready() noexcept { return true; }
  static void await_suspend(std::coroutine_handle<> /*h*/) noexcept {}
  static void await_resume() noexcept {}
};
inline constexpr auto no_sleep = [](anew::duration /*delay*/) { return ready<void>{}; };

/// Awaits it, so that it is begun, and can be looked at.
template <class A>
auto start(A awaitable) -> eager<decltype(std::declval<A>().operator co_await().await_resume())> {
  co_return co_await std::move(awaitable);
}

}  // namespace support

#endif
