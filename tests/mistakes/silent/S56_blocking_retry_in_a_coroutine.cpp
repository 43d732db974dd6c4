// SPDX-License-Identifier: BSL-1.0
// Meant: the coroutine is suspended while it waits.
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

task call() { co_return anew::retry(thrice<anew::retry_all>{}, fails) ? 1 : 0; }

int main() {
  auto const running = call();
  running.await_suspend({});
  std::printf("calls=%d suspended=0\n", calls);
  running.coroutine.destroy();
}
