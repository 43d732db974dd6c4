// SPDX-License-Identifier: BSL-1.0
// What a strategy promises, printed; a client that accepts only strategies that promise enough; settings that are refused.
#include <chrono>
#include <cstdio>
#include <string_view>

#include "anew/anew.hpp"
#include "anew/bounds.hpp"
#include "anew/presets/bounded.hpp"
#include "anew/text/read_strategy_within.hpp"

using namespace std::chrono_literals;

int ask_server(std::string_view /*article*/) { return 42; }

// [client]
template <anew::WaitsAtMost<100ms> Strategy>
class price_client {
 public:
  int price_of(std::string_view article) {
    int price = 0;
    anew::retry(strategy_, [&] { price = ask_server(article); });
    return price;
  }

 private:
  Strategy strategy_;
};
// [/client]

// [strategy]
using quick = anew::strategy<anew::exponential_backoff<5ms, 50ms>, anew::server_hint<anew::long_hint::stop, 100ms>>;
// [/strategy]

// [demand]
using in_time = anew::bounded<250ms>;
static_assert(
    anew::demand<in_time, anew::limits{.attempts = 3, .call = 250ms, .amplification = anew::rational{6, 5}}>());
// [/demand]

// [setting]
void configure(std::string_view setting) {
  auto const read = anew::read_strategy_within(setting, {.attempts = 5, .waiting = 30s});
  std::printf("%s\n", read ? "accepted" : anew::in_lines(read.error(), setting).c_str());
}
// [/setting]

int main() {
  price_client<quick> client;
  std::printf("%d\n", client.price_of("tea"));

  // [print]
  constexpr auto promised = anew::bounds_of<anew::strategy<>>();
  std::printf("%lld attempts, a wait of at most %lld ms by itself and %lld s by %s\n",
              static_cast<long long>(promised.attempts.value), static_cast<long long>(promised.own_wait.value / 1ms),
              static_cast<long long>(promised.wait.value / 1s), promised.wait.by);
  // [/print]
  // [layered]
  auto const both = anew::layered(anew::bounds_of<quick>(), anew::bounds_of<anew::strategy<>>());
  std::printf("%s\n", anew::shortfall(both, {.attempts = 5}).c_str());
  // [/layered]

  configure("exponential(50ms,1s) server_hint(stop,5s)");
  configure("exponential(50ms,1s) max_attempts(7)");
}
