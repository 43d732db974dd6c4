// SPDX-License-Identifier: BSL-1.0
// Meant: each attempt awaits the coroutine. anew/coroutine.hpp is not included.
#include <coroutine>

#include "given.hpp"

/// A lazy coroutine's task, as any library has one.
struct task {
  struct promise_type {
    task get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_value(int i) noexcept { value = i; }
    void unhandled_exception() { throw; }
    int value = 0;
  };
  std::coroutine_handle<promise_type> coroutine;

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<>) const {
    coroutine.resume();
    return false;
  }
  int await_resume() const { return coroutine.promise().value; }
};

task connect() {
  ++calls;
  throw net_error{"refused"};
  co_return 0;
}

task call() {
  co_return co_await anew::retry(thrice<anew::retry_all>{}, [] { return connect(); }, no_sleep);
}

int main() {
  call().await_suspend({});
  std::printf("calls=%d\n", calls);
}
