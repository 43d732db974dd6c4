// SPDX-License-Identifier: BSL-1.0
// A strategy has three functions and does nothing by itself: no sleep, no thread, no clock. Here an event loop drives
// them: five calls at once on one thread, against a service that comes back after 1.2 seconds.
#include <chrono>
#include <cstdio>
#include <map>
#include <utility>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

// [strategy]
using strategy = anew::strategy<anew::exponential_backoff<200ms, 1s>, anew::no_jitter, anew::token_bucket<160>,
                                anew::max_attempts<4>, anew::deadline<5s>>;

struct call {
  int id;
  strategy::token_type token;  // the state of the call; its destructor returns what it holds
};
// [/strategy]

long long in_ms(anew::time_point time) { return static_cast<long long>(time.time_since_epoch() / 1ms); }

int main() {
  // [loop]
  strategy const shared{};
  std::multimap<anew::time_point, call> timers;
  anew::time_point now{};

  for (int id = 1; id <= 5; ++id) {
    auto token = shared.acquire_initial_token(now);
    auto const due = now + token.delay();
    timers.emplace(due, call{id, std::move(token)});
  }
  while (!timers.empty()) {
    auto node = timers.extract(timers.begin());  // the next timer fires
    now = node.key();
    auto& [id, token] = node.mapped();

    bool const service_is_up = now >= anew::time_point{} + 1200ms;
    if (service_is_up) {
      std::printf("%5lld ms: call %d succeeds at attempt %u\n", in_ms(now), id, token.attempt());
      shared.record_success(std::move(token));
      continue;
    }
    auto const attempt = token.attempt();
    auto next = shared.refresh_retry_token(std::move(token), anew::failure{anew::error_kind::transient}, now);
    if (!next) {
      std::printf("%5lld ms: call %d fails at attempt %u (%s)\n", in_ms(now), id, attempt, to_string(next.reason()));
      continue;
    }
    auto const due = now + next->delay();
    std::printf("%5lld ms: call %d will try again at %lld ms\n", in_ms(now), id, in_ms(due));
    timers.emplace(due, call{id, *std::move(next)});
  }
  // [/loop]
  std::printf("balance %u of %u\n", shared.quota().balance(), shared.quota().capacity());

  // [give_up]
  {
    auto const planned = shared.refresh_retry_token(shared.acquire_initial_token(now), anew::failure{}, now);
    std::printf("one more retry has paid: balance %u\n", planned ? shared.quota().balance() : 0);
  }  // it is never made: its token gives back what it paid
  std::printf("and is given up: balance %u\n", shared.quota().balance());
  // [/give_up]
}
