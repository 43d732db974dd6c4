// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_COROUTINE_INTERNAL_RACE_HPP
#define ANEW_BRIDGES_COROUTINE_INTERNAL_RACE_HPP

#include <version>

#include "anew/base/platform/compiler.hpp"
#if ANEW_EXCEPTIONS && defined(__cpp_lib_jthread)

#include <atomic>
#include <coroutine>
#include <exception>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/bridges/coroutine/internal/awaitable.hpp"
#include "anew/drivers/internal/result_slot.hpp"
#include "anew/drivers/internal/stop.hpp"

/// An attempt that its time limit cancels, in coroutines of any library.
namespace anew::inline ANEW_ABI::detail {

/// Counts down to the moment in which the coroutine that awaits a race resumes.
class race_base {
 public:
  race_base() = default;
  race_base(race_base const&) = delete;
  race_base& operator=(race_base const&) = delete;
  [[nodiscard]] bool is_last() noexcept { return left_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  std::coroutine_handle<> arrive() noexcept {
    if (is_last()) return parent_;
    return std::noop_coroutine();
  }

 protected:
  ~race_base() = default;
  std::coroutine_handle<> parent_{};
  std::atomic<int> left_{2};
};

/// One side of a race. It runs on its own, and its race destroys it.
class race_side {
 public:
  struct promise_type {
    race_base& race;
    template <class Race>
    explicit promise_type(Race& of) noexcept : race{of} {}
    race_side get_return_object() { return race_side{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static auto final_suspend() noexcept {
      struct last {
        static bool await_ready() noexcept { return false; }
        static std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
          return ended.promise().race.arrive();
        }
        static void await_resume() noexcept {}
      };
      return last{};
    }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }  // a side catches all
  };

  race_side() = default;
  race_side(race_side&& other) noexcept : frame_{std::exchange(other.frame_, nullptr)} {}
  race_side& operator=(race_side&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~race_side() {
    if (frame_) frame_.destroy();
  }
  void begin() const { frame_.resume(); }

 private:
  explicit race_side(std::coroutine_handle<promise_type> frame) noexcept : frame_{frame} {}
  std::coroutine_handle<promise_type> frame_{};
};

template <class A>
concept AwaitedInARace = requires(std::remove_reference_t<awaiter_in<void, A>>& awaiter,
                                  std::coroutine_handle<race_side::promise_type> side) { awaiter.await_suspend(side); };

/// Awaits an attempt beside `sleep(limit, token)`. When the time is over it requests a stop of the attempt, and awaits the
/// attempt's end; when the attempt ends it requests a stop of the sleep, and awaits that. A stop of the caller's is
/// passed on to both.
template <class A, class Sleep>
class race : public race_base {
  using awaited = awaited_in<void, A>;
  using R = std::conditional_t<std::is_void_v<awaited>, void_result, std::remove_cvref_t<awaited>>;

 public:
  template <class Start>
  race(Start const& start, Sleep& sleep, duration limit, std::stop_token const& caller, bool& is_late)
      : sleep_{sleep},
        limit_{limit},
        is_late_{is_late},
        passes_on_{caller, pass_on{source_}},
        attempt_(start(detail::view_of(token_))) {
    is_late_ = false;
  }
  ~race() = default;

  [[nodiscard]] static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> awaiting) {
    parent_ = awaiting;
    bool const is_limited = limit_ != duration::max();
    if (is_limited) {
      timer_ = run_timer();
      left_ = 3;
    }
    side_ = run_attempt();
    side_.begin();
    if (is_limited) timer_.begin();
    return !is_last();
  }
  awaited await_resume() {
    if (thrown_) std::rethrow_exception(thrown_);
    if constexpr (!std::is_void_v<awaited>) return static_cast<awaited>(std::move(*result_));
  }

 private:
  struct pass_on {
    std::stop_source& to;
    void operator()() const { to.request_stop(); }
  };

  race_side run_attempt() {
    try {
      if constexpr (std::is_void_v<awaited>) {
        co_await static_cast<A&&>(attempt_);
      } else {
        auto&& value = co_await static_cast<A&&>(attempt_);
        result_.emplace_from([&]() -> R { return static_cast<decltype(value)&&>(value); });
      }
    } catch (...) {
      thrown_ = std::current_exception();
    }
    if (!is_decided_.exchange(true)) source_.request_stop();
  }
  race_side run_timer() {
    try {
      if (!token_.stop_requested()) co_await sleep_(limit_, token_);
    } catch (...) {  // it was stopped, or cannot wait: then the attempt may not go on without a limit
    }
    if (!token_.stop_requested() && !is_decided_.exchange(true)) {
      is_late_ = true;
      source_.request_stop();
    }
  }

  Sleep& sleep_;
  duration limit_;
  bool& is_late_;
  std::stop_source source_{};
  std::stop_token token_{source_.get_token()};
  std::stop_callback<pass_on> passes_on_;
  A attempt_;
  result_slot<R> result_{};
  std::exception_ptr thrown_{};
  std::atomic<bool> is_decided_{false};
  race_side side_{};
  race_side timer_{};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
#endif
