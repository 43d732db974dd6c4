// SPDX-License-Identifier: BSL-1.0
// A call that ends too early, looked at in three ways, and the usual cures.
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "anew/drivers/why_not_retried.hpp"
#include "anew/policies.hpp"
#include "anew/policies/observer/timeline.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using runtime_error::runtime_error;
};

// Fails twice, then answers.
int requests = 0;
std::string fetch() {
  if (++requests % 3 != 0) throw net_error{"connection reset"};
  return "hello";
}

anew::time_point virtual_time{};
struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};
void virtual_sleep(anew::duration delay) { virtual_time += delay; }

template <class Outcome>
void print(char const* what, Outcome const& outcome) {
  std::printf("%s: %s after %u attempt%s\n", what, to_string(outcome.reason()), outcome.attempts(),
              outcome.attempts() == 1 ? "" : "s");
}

// [forgets]
using forgets = anew::strategy<anew::no_backoff>;  // no classifier: only what says so is retried
// [/forgets]

// [names]
using names = anew::strategy<anew::no_backoff, anew::retry_on<net_error>>;  // or retry_info_on, if it says for itself
// [/names]

// [observed]
struct prints_verdicts {
  using role = anew::roles::observer;
  void on_attempt(anew::attempt_event const& event) const {
    std::printf("  attempt %u: %s\n", event.attempt, anew::in_words(event.verdict).c_str());
  }
  void on_end(anew::end_event const& event) const { std::printf("  %s\n", anew::in_words(event).c_str()); }
};
using observed = anew::with<names, prints_verdicts>;
// [/observed]

struct response {
  int code;
  [[nodiscard]] int status() const { return code; }
};

int main() {
  {
    // [see]
    forgets const strategy{};
    auto const outcome = anew::retry_outcome(strategy, fetch);
    std::printf("%s after %u attempt\n", to_string(outcome.reason()), outcome.attempts());
    std::printf("  %s\n", anew::why_not_retried(strategy, outcome).c_str());
    std::printf("  %s\n", anew::describe(strategy).c_str());
    // [/see]
  }
  requests = 0;
  print("names its exception", anew::retry_outcome(names{}, fetch));
  anew::retry(observed{}, fetch);

  requests = 0;
  {
    // [idempotent]
    using http = anew::strategy<anew::no_backoff, anew::http_status_classifier<>>;
    auto const get = [] { return response{++requests < 3 ? 500 : 200}; };
    print("GET", anew::retry_outcome(http{}, get));
    requests = 0;
    print("GET, declared idempotent", anew::retry_outcome(http{}, anew::idempotent(get)));
    // [/idempotent]
  }
  auto const fails = [] { return false; };
  {
    // [jitter]
    using half = anew::strategy<anew::constant_backoff<100ms>, anew::equal_jitter, anew::retry_all>;  // 50 to 100 ms
    using all = anew::strategy<anew::constant_backoff<100ms>, anew::no_jitter, anew::retry_all>;      // always 100 ms
    // [/jitter]
    anew::duration slept{};
    auto const sum = [&](anew::duration delay) { slept += delay; };
    print("no jitter", anew::retry_outcome(all{}, fails, sum));
    std::printf("  slept %lld ms\n", static_cast<long long>(slept / 1ms));
    slept = {};
    print("equal jitter", anew::retry_outcome(half{}, fails, sum));
    std::printf("  slept %s 100 ms\n", slept >= 100ms ? "at least" : "less than");
  }
  {
    // [breaker]
    using guarded =
        anew::strategy<anew::circuit_breaker<5, 30s>, anew::retry_on<net_error>, anew::no_backoff, virtual_clock>;
    guarded const strategy{};
    auto const breaks = [] { throw net_error{"down"}; };
    for (int i = 0; i != 3; ++i) print("guarded", anew::retry_outcome(strategy, breaks, virtual_sleep));
    std::printf("  the breaker is %s\n", to_string(strategy.gate().state()));
    // [/breaker]
  }
  {
    // [stop]
    std::stop_source source;
    auto const sleep = [&](anew::duration delay, std::stop_token const& stop) {
      for (anew::duration slept{}; slept < delay && !stop.stop_requested(); slept += 10ms) {
        virtual_sleep(10ms);
        if (slept == 40ms) source.request_stop();  // elsewhere: another thread
      }
    };
    using slow = anew::strategy<anew::constant_backoff<2s>, anew::no_jitter, anew::retry_all, virtual_clock>;
    auto const outcome = anew::retry_outcome(slow{}, fails, sleep, source.get_token());
    std::printf("%s after %lld ms\n", to_string(outcome.reason()), static_cast<long long>(outcome.elapsed() / 1ms));
    // [/stop]
  }
}
