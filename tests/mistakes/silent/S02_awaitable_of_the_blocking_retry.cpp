// SPDX-License-Identifier: BSL-1.0
// Meant: the coroutine runs.
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
  co_return 0;
}

int main() {
  print(anew::retry_outcome(thrice<anew::retry_all>{}, [] { return connect(); }, no_sleep));
}
