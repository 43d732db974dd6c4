// SPDX-License-Identifier: BSL-1.0
// Senders that are retried. The shape of a sender is written in examples/support/minimal_sender.hpp, and time is a number; a
// program uses stdexec, and needs no ANEW_SENDERS.
#include <chrono>
#include <cstdio>
#include <exception>
#include <system_error>
#include <utility>

#include "anew/anew.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "support/minimal_sender.hpp"
#define ANEW_SENDERS minimal
#include "anew/sender.hpp"

namespace ex = minimal;

using namespace std::chrono_literals;

minimal::virtual_loop loop;
long long now() { return static_cast<long long>(loop.clock.peek().time_since_epoch() / 1ms); }

/// A request that is refused at first, then takes too long, then succeeds.
auto request(unsigned attempt) {
  std::printf("%4lld ms: attempt %u\n", now(), attempt);
  auto const answer = [attempt](auto&& to) {
    if (attempt > 1) return ex::set_value(std::move(to), 42);
    ex::set_error(std::move(to), std::make_error_code(std::errc::connection_refused));
  };
  return minimal::timed_sender<decltype(answer), ex::set_value_t(int), ex::set_error_t(std::error_code)>{
      &loop, attempt == 2 ? 10s : 5ms, answer};
}

struct printer {
  using receiver_concept = ex::receiver_tag;
  struct environment {
    ex::inplace_stop_token token;
    [[nodiscard]] auto query(ex::get_stop_token_t /*query*/) const noexcept { return token; }
  };
  ex::inplace_stop_token token;
  [[nodiscard]] environment get_env() const noexcept { return {token}; }
  static void set_value(int value) noexcept { std::printf("%4lld ms: %d\n", now(), value); }
  static void set_error(std::error_code const& code) noexcept {
    std::printf("%4lld ms: error %d\n", now(), code.value());
  }
  static void set_error(std::exception_ptr const& /*thrown*/) noexcept { std::printf("%4lld ms: exception\n", now()); }
  static void set_stopped() noexcept { std::printf("%4lld ms: stopped\n", now()); }
};

int main() {
  // [call]
  auto const strategy = anew::compose(anew::error_code_classifier{}, anew::constant_backoff<100ms>{}, anew::no_jitter{},
                                      anew::token_bucket<500>{}, anew::attempt_timeout<50ms>{}, loop.clock);
  auto const fetch = anew::idempotent([](anew::attempt& self) { return request(self.number()); });
  auto const sender = anew::retry_sender{strategy, minimal::scheduler{&loop}, fetch};
  // [/call]

  {
    auto call = ex::connect(sender, printer{});
    ex::start(call);
    loop.run();
    std::printf("balance %u\n", strategy.quota().balance());
  }
  ex::inplace_stop_source stop;
  auto stopped = ex::connect(sender, printer{stop.get_token()});
  ex::start(stopped);
  loop.run(loop.clock.peek() + 30ms);  // the first attempt has failed, the call waits
  stop.request_stop();                 // the failure is delivered at once
  std::printf("%zu timers, balance %u\n", loop.waiting(), strategy.quota().balance());
}
