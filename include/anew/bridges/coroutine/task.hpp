// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_COROUTINE_TASK_HPP
#define ANEW_BRIDGES_COROUTINE_TASK_HPP

#include <atomic>
#include <concepts>
#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/result_slot.hpp"

namespace anew::inline ANEW_ABI {

template <class T>
class task;

namespace detail {

/// Where a task's result waits for its awaiter.
template <class T>
class task_result {
 public:
  void return_value(T value)
    requires std::is_reference_v<T>
  {
    slot_.emplace_from([&]() -> T { return value; });
  }
  template <class U = T>
    requires(!std::is_reference_v<T> && std::constructible_from<T, U &&>)
  void return_value(U&& value) {
    slot_.emplace_from([&]() -> T { return T(std::forward<U>(value)); });
  }

 protected:
  T take() { return slot_.take(); }

 private:
  result_slot<T> slot_;
};
template <>
class task_result<void> {
 public:
  void return_void() noexcept {}

 protected:
  void take() noexcept {}
};

/// A task starts inside its awaiter's `await_suspend`, and whichever of the two arrives last resumes the awaiting
/// coroutine. So a task that ends at once takes no stack, even if a compiler turns the transfer from coroutine to
/// coroutine into a call, as g++ does unless it optimises.
class task_meeting {
 public:
  /// False: the task, which was resumed before, has already ended.
  bool await(std::coroutine_handle<> awaiting) noexcept {
    awaiting_ = awaiting;
    return !one_was_here_.exchange(true, std::memory_order_acq_rel);
  }
  std::coroutine_handle<> end() noexcept {
    if (one_was_here_.exchange(true, std::memory_order_acq_rel)) return awaiting_;
    return std::noop_coroutine();
  }

 private:
  std::coroutine_handle<> awaiting_{};
  std::atomic<bool> one_was_here_{false};
};

template <class T>
class task_promise : public task_result<T> {
 public:
  task<T> get_return_object() noexcept;
  static std::suspend_always initial_suspend() noexcept { return {}; }
  static auto final_suspend() noexcept {
    struct last {
      static bool await_ready() noexcept { return false; }
      static std::coroutine_handle<> await_suspend(std::coroutine_handle<task_promise> ended) noexcept {
        return ended.promise().meeting_.end();
      }
      static void await_resume() noexcept {}
    };
    return last{};
  }
  void unhandled_exception() noexcept {
#if ANEW_EXCEPTIONS
    exception_ = std::current_exception();
#endif
  }

  void begin() { std::coroutine_handle<task_promise>::from_promise(*this).resume(); }
  bool await(std::coroutine_handle<> awaiting) noexcept { return meeting_.await(awaiting); }
  T take() {
#if ANEW_EXCEPTIONS
    if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
#endif
    return task_result<T>::take();
  }

 private:
  task_meeting meeting_;
#if ANEW_EXCEPTIONS
  std::exception_ptr exception_;
#endif
};

}  // namespace detail

/// A coroutine that starts when it is awaited, once: the result of `co_await retry(...)` if the operation returns an
/// awaitable that is not a coroutine type. It resumes wherever the awaitable resumes it.
///
/// Destroyed before its end, it destroys its frame; it must not be scheduled to resume then.
/// Requires: T is a value that can be moved, an lvalue reference, or void
/// Cost: one frame; two atomic exchanges
/// Choose it for a program without a task type. Not in place of your own: retry() returns the operation's own type.
template <class T = void>
class [[nodiscard]] task {
 public:
  using promise_type = detail::task_promise<T>;

  task(task&& other) noexcept : frame_{std::exchange(other.frame_, nullptr)} {}
  task& operator=(task&& other) noexcept {
    if (this != &other) {
      if (frame_) frame_.destroy();
      frame_ = std::exchange(other.frame_, nullptr);
    }
    return *this;
  }
  task(task const&) = delete;
  task& operator=(task const&) = delete;
  ~task() {
    if (frame_) frame_.destroy();
  }

  /// Requires that it was neither awaited nor moved from before.
  auto operator co_await() && noexcept {
    struct awaiter {
      std::coroutine_handle<promise_type> frame;
      [[nodiscard]] static bool await_ready() noexcept { return false; }
      bool is_begun = false;
      void begin() {
        is_begun = true;
        frame.promise().begin();
      }
      bool await_suspend(std::coroutine_handle<> awaiting) {
        if (!is_begun) frame.promise().begin();
        return frame.promise().await(awaiting);
      }
      T await_resume() { return frame.promise().take(); }
    };
    return awaiter{frame_};
  }

 private:
  friend promise_type;
  explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_{frame} {}
  std::coroutine_handle<promise_type> frame_;
};

template <class T>
task<T> detail::task_promise<T>::get_return_object() noexcept {
  return task<T>{std::coroutine_handle<task_promise>::from_promise(*this)};
}

}  // namespace anew::inline ANEW_ABI

#endif
