// SPDX-License-Identifier: BSL-1.0
// co_await anew::retry(...) with a task and your own event loop: a call is a coroutine of that task's type. Three
// clients on one thread, against a service that comes back after a second; time is the loop's, so it takes none.
#include <chrono>
#include <coroutine>
#include <cstdio>
#include <exception>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "anew/anew.hpp"
#include "anew/coroutine.hpp"
#include "anew/policies/classifier/error_code.hpp"

using namespace std::chrono_literals;

// The least that a task needs: it begins at once, is awaited once, and holds an error code.
class task {
 public:
  struct promise_type {
    std::error_code result;
    std::coroutine_handle<> awaiting = std::noop_coroutine();

    task get_return_object() { return task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static auto final_suspend() noexcept {
      struct resume_whoever_awaits {
        static bool await_ready() noexcept { return false; }
        static std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
          return ended.promise().awaiting;
        }
        static void await_resume() noexcept {}
      };
      return resume_whoever_awaits{};
    }
    void return_value(std::error_code code) { result = code; }
    static void unhandled_exception() { std::terminate(); }
  };

  bool await_ready() const { return frame_.done(); }
  void await_suspend(std::coroutine_handle<> awaiting) const { frame_.promise().awaiting = awaiting; }
  std::error_code await_resume() const { return frame_.promise().result; }

  task(task&& other) noexcept : frame_{std::exchange(other.frame_, nullptr)} {}
  task& operator=(task&&) = delete;
  task(task const&) = delete;
  task& operator=(task const&) = delete;
  ~task() {
    if (frame_) frame_.destroy();
  }

 private:
  explicit task(std::coroutine_handle<promise_type> frame) : frame_{frame} {}
  std::coroutine_handle<promise_type> frame_;
};

// [loop]
struct event_loop {
  using role = anew::roles::clock;  // the strategy reads the time of the loop
  static constexpr bool is_steady = true;
  static inline anew::time_point time{};
  static inline std::multimap<anew::time_point, std::coroutine_handle<>> timers;

  static anew::time_point now() { return time; }
  static void run() {
    while (!timers.empty()) {
      auto const next = timers.extract(timers.begin());
      time = next.key();
      next.mapped().resume();
    }
  }
};

struct timer {  // all that retry() asks of a sleep: it returns something that your coroutine can await
  anew::duration delay;
  static bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) const { event_loop::timers.emplace(event_loop::time + delay, h); }
  static void await_resume() {}
};
auto const sleep_for = [](anew::duration delay) { return timer{delay}; };
// [/loop]

long long in_ms(anew::time_point time) { return static_cast<long long>(time.time_since_epoch() / 1ms); }

// [call]
using polite = anew::strategy<anew::exponential_backoff<200ms, 1s>, anew::no_jitter, anew::max_attempts<5>,
                              anew::token_bucket<200>, anew::error_code_classifier, anew::deadline<3s>, event_loop>;

task ask_once(int client, unsigned attempt) {
  co_await timer{30ms * client};  // on its way
  bool const is_up = event_loop::time >= anew::time_point{} + 1s;
  std::printf("%5lld ms: client %d, attempt %u: %s\n", in_ms(event_loop::time), client, attempt, is_up ? "ok" : "down");
  co_return is_up ? std::error_code{} : std::make_error_code(std::errc::connection_refused);
}

task ask(polite const& strategy, int client) {
  auto const operation = [client](anew::attempt& self) { return ask_once(client, self.number()); };
  std::error_code const result = co_await anew::retry(strategy, operation, sleep_for);
  std::printf("%5lld ms: client %d is done: %s\n", in_ms(event_loop::time), client, result ? "failed" : "succeeded");
  co_return result;
}
// [/call]

int main() {
  polite const strategy{};  // must outlive its calls
  {
    std::vector<task> clients;
    for (int client = 1; client <= 3; ++client) clients.push_back(ask(strategy, client));
    event_loop::run();
  }
  std::printf("balance %u of %u\n", strategy.quota().balance(), strategy.quota().capacity());

  // [destroy]
  event_loop::time = {};  // the service is down again
  {
    auto const given_up = ask(strategy, 4);
    auto const first = event_loop::timers.extract(event_loop::timers.begin());
    event_loop::time = first.key();
    first.mapped().resume();  // the first attempt fails, and the call sleeps
    std::printf("in the sleep: balance %u\n", strategy.quota().balance());
    event_loop::timers.clear();
  }  // destroyed in the middle, a call gives back what it holds
  std::printf("destroyed: balance %u\n", strategy.quota().balance());
  // [/destroy]
}
