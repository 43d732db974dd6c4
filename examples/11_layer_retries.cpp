// SPDX-License-Identifier: BSL-1.0
// Retries in layers multiply. Five ways to keep them from it: retry in one layer, let the inner layer's final error be
// final for the outer one too, guard both layers, tell services in other processes by a field of the request, and give
// the inner layer what is left of the outer one's time.
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "anew/anew.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/nesting/retries_above.hpp"
#include "anew/strategy/adjusted.hpp"

#include "support/expected.hpp"

using namespace std::chrono_literals;

struct error {
  anew::retry_safety safety = anew::retry_safety::yes;
  [[nodiscard]] anew::retry_safety is_retry_safe() const { return safety; }
};
using result = expected<std::string, error>;

int requests = 0;
result request() {
  ++requests;
  return error{};  // the service is down
}

void report(char const* what) {
  std::printf("%-36s %d requests\n", what, requests);
  requests = 0;
}

anew::time_point virtual_time{};
struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};
void virtual_sleep(anew::duration delay) { virtual_time += delay; }

using three = anew::strategy<anew::no_backoff, anew::max_attempts<3>>;

struct http_request {
  std::map<std::string, std::string, std::less<>> fields;
  [[nodiscard]] std::optional<std::string> field(std::string_view name) const {
    auto const found = fields.find(name);
    return found != fields.end() ? std::optional{found->second} : std::nullopt;
  }
  void set(std::string_view name, std::string_view value) { fields.insert_or_assign(std::string{name}, value); }
};
/// A service that calls another service. Each has a thread of its own, as if it were a process of its own.
using service = std::function<result(http_request const&)>;
result send(service const& to, http_request const& request) {
  result answer = error{};
  std::thread{[&] { answer = to(request); }}.join();
  return answer;
}

int main() {
  // [multiply]
  three const inner{};
  three const outer{};
  auto const load_page = [&] { return anew::retry(inner, request); };
  (void)anew::retry(outer, load_page);
  // [/multiply]
  report("three attempts in each of two layers");

  // [one_layer]
  (void)anew::retry(anew::never{}, load_page);  // the layer above makes one attempt
  // [/one_layer]
  report("one layer retries");

  // [final]
  auto const load_page_or_give_up = [&]() -> result {
    auto outcome = anew::retry_outcome(inner, request);
    if (!outcome.succeeded()) return error{anew::retry_safety::no};  // retried enough: final for the layer above
    return outcome.result();
  };
  (void)anew::retry(outer, load_page_or_give_up);
  // [/final]
  report("the inner layer's error is final");

  // [guard]
  using guarded = anew::with<three, anew::nesting_guard<>>;
  auto const guarded_page = [&] { return anew::retry(guarded{}, request); };
  (void)anew::retry(guarded{}, guarded_page);  // two strategies, which need not know each other
  // [/guard]
  report("both layers have a guard");

  // [share]
  using sharing = anew::with<three, anew::nesting_guard<anew::when_nested::share_quota>, anew::token_bucket<56>>;
  sharing const upper{};  // 56 tokens pay for four retries, whichever layer makes them
  sharing const lower{};
  auto const shared_page = [&] { return anew::retry(lower, request); };
  (void)anew::retry(upper, shared_page);
  // [/share]
  report("the outer layer's quota pays");

  service const database = [](http_request const& /*incoming*/) { return ::request(); };
  {
    // [field]
    guarded const strategy{};
    auto const handle = [&strategy](http_request const& incoming, service const& below) {
      anew::nesting_scope const scope{anew::retries_above::read(incoming.field(anew::retries_above_field))};
      return anew::retry(strategy, [&below](anew::attempt& attempt) {
        http_request outgoing;
        outgoing.set(anew::retries_above_field, anew::nesting_scope::current().below(attempt).value());
        return send(below, outgoing);
      });
    };
    // [/field]
    service const back = [&](http_request const& incoming) { return handle(incoming, database); };
    service const middle = [&](http_request const& incoming) { return handle(incoming, back); };
    (void)handle(http_request{}, middle);
  }
  report("three services tell one another");
  {
    // [told]
    three const strategy{};
    auto const handle = [&strategy](http_request const& incoming, service const& below) {
      auto const above = anew::retries_above::read(incoming.field(anew::retries_above_field));
      auto const of_this_call = anew::adjusted(strategy, anew::nested_in{above});
      return anew::retry(of_this_call, [&](anew::attempt& attempt) {
        http_request outgoing;
        outgoing.set(anew::retries_above_field, above.below(attempt).value());
        return send(below, outgoing);
      });
    };
    // [/told]
    service const back = [&](http_request const& incoming) { return handle(incoming, database); };
    service const middle = [&](http_request const& incoming) { return handle(incoming, back); };
    (void)handle(http_request{}, middle);
  }
  report("three services tell their calls");

  // [remaining]
  using call = anew::strategy<anew::constant_backoff<100ms>, anew::no_jitter, anew::deadline<1s>, anew::unbounded,
                              virtual_clock>;
  auto const load_in_time = [](anew::attempt& attempt) -> result {
    if (attempt.remaining() == 0s) return error{};  // a deadline of zero is refused
    auto const rest = anew::compose(anew::constant_backoff{40ms}, anew::no_jitter{}, virtual_clock{},
                                    anew::max_attempts{3}, anew::deadline{attempt.limit(200ms)});
    return anew::retry(rest, request, virtual_sleep);
  };
  (void)anew::retry(call{}, load_in_time, virtual_sleep);
  // [/remaining]
  report("the inner layer gets the rest");
  std::printf("all of it took %lld ms\n", static_cast<long long>(virtual_time.time_since_epoch() / 1ms));
}
