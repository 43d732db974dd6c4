// SPDX-License-Identifier: BSL-1.0
// An observer that follows each of two calls that run at once: who calls, what failed, how long it took.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <system_error>

#include "anew/anew.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/machine.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/testing/manual_clock.hpp"

using namespace std::chrono_literals;

// [observer]
struct spans {
  using role = anew::roles::observer;
  struct span {
    char const* name;
    anew::time_point began;
    std::error_code last{};
  };
  using call_type = std::unique_ptr<span>;

  call_type on_call(anew::call_event const& event, anew::time_point now) const {
    return std::make_unique<span>(span{event.operation != nullptr ? event.operation : "?", now});
  }
  void on_error(call_type& call, std::error_code const& error) const { call->last = error; }
  void on_retry(call_type& call, anew::retry_event const& event) const {
    std::printf("%s: attempt %u follows after: %s\n", call->name, event.attempt, call->last.message().c_str());
  }
  void on_end(call_type& call, anew::end_event const& event, anew::time_point now) const {
    auto const took = static_cast<long long>((now - call->began) / 1ms);
    std::printf("%s: %s after %lld ms\n", call->name, to_string(event.reason), took);
  }
};
// [/observer]

int main() {
  anew::testing::manual_clock clock;
  auto const strategy = anew::compose(anew::error_code_classifier{}, anew::constant_backoff{100ms}, anew::no_jitter{},
                                      anew::max_attempts{3}, spans{}, clock);

  // [named]
  auto const read = [] { return std::error_code{}; };
  auto const error = anew::retry(strategy, anew::named(anew::idempotent(read), "get_user"));
  // [/named]
  if (error) return 1;

  auto list = anew::named([] { return 0; }, "list_users");
  auto update = anew::named(anew::idempotent([] { return 0; }), "update_user");
  anew::call_engine first{strategy, list};
  anew::call_engine second{strategy, update};
  static_cast<void>(first.begin());
  static_cast<void>(second.begin());
  clock.advance(20ms);
  static_cast<void>(first.on_error(std::make_error_code(std::errc::connection_refused)));
  clock.advance(20ms);
  static_cast<void>(second.on_error(std::make_error_code(std::errc::timed_out)));
  clock.advance(100ms);
  static_cast<void>(second.on_wait_over());
  static_cast<void>(first.on_wait_over());
  clock.advance(5ms);
  static_cast<void>(second.on_success());
  static_cast<void>(first.on_success());
}
