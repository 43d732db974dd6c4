// SPDX-License-Identifier: BSL-1.0
// Every end of docs/how_to/why_step_by_step.md: such a call, the words of why_not_retried(), and the call after the
// line that mends it. The clock is the program's own: nothing waits.
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "anew/drivers/why_not_retried.hpp"
#include "anew/policies.hpp"

using namespace std::chrono_literals;

namespace {

anew::time_point virtual_time{};
struct virtual_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] static anew::time_point now() { return virtual_time; }
};
auto const virtual_sleep = [](anew::duration delay) { virtual_time += delay; };

// [ask]
template <class Strategy, class Operation, class... Stop>
void ask(Strategy const& strategy, Operation operation, Stop const&... stop) {
  auto const outcome = anew::retry_outcome(strategy, operation, virtual_sleep, stop...);
  std::printf("  %s after %u\n", to_string(outcome.reason()), outcome.attempts());
  if (!outcome.succeeded()) std::printf("  %s\n", anew::why_not_retried(strategy, outcome).c_str());
}
// [/ask]

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
template <class E>
struct fails_twice {
  int calls = 0;
  void operator()() {
    if (++calls < 3) throw E{"reset"};
  }
};
template <auto Failure, auto Success>
struct returns_twice {  // a value that means a failure
  int calls = 0;
  auto operator()() { return ++calls < 3 ? Failure : Success; }
};
using fails = fails_twice<net_error>;
using usual = anew::strategy<anew::no_backoff, virtual_clock>;
using all = anew::with<usual, anew::retry_all>;

// unclassified

void unnamed() {
  std::puts("an exception that is not named");
  ask(usual{}, fails{});
  // [named]
  using mended = anew::with<usual, anew::retry_on<net_error>>;
  // [/named]
  ask(mended{}, fails{});
}

struct hidden : std::runtime_error, private anew::retry_info {
  using std::runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};
// [public]
struct busy : std::runtime_error, public anew::retry_info {
  // [/public]
  using std::runtime_error::runtime_error;
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};
void inherited_privately() {
  std::puts("an exception that speaks in private");
  ask(usual{}, fails_twice<hidden>{});
  ask(usual{}, fails_twice<busy>{});
}

void pointer() {
  std::puts("a pointer that is thrown");
  static net_error const lost{"lost"};
  using mended = anew::with<usual, anew::retry_on<net_error>>;
  ask(mended{}, [] { throw &lost; });
  // [object]
  auto const operation = [calls = 0]() mutable {
    if (++calls < 3) throw net_error{"lost"};
  };
  // [/object]
  ask(mended{}, operation);
}

struct wrapped : std::runtime_error {
  explicit wrapped(char const* text) : std::runtime_error{text} {}
};
struct fails_by_a_cause {
  int calls = 0;
  void operator()() {
    if (++calls == 3) return;
    try {
      throw net_error{"reset"};
    } catch (...) {
      std::throw_with_nested(wrapped{"cannot load"});
    }
  }
};
void causes() {
  std::puts("a cause that the classifier reads");
  using by_type = anew::with<usual, anew::retry_on<net_error>>;
  ask(by_type{}, fails_by_a_cause{});
  // [cause]
  using mended = anew::with<usual, anew::caused_by<anew::retry_on<net_error>>>;
  // [/cause]
  ask(mended{}, fails_by_a_cause{});

  std::puts("a cause that is not read");
  ask(usual{}, fails_by_a_cause{});
  ask(mended{}, fails_by_a_cause{});
}

enum class code { fine, slow, odd };
struct result {
  code value;
  [[nodiscard]] bool has_value() const { return value == code::fine; }
  [[nodiscard]] code error() const { return value; }
};
using fails_oddly = returns_twice<result{code::odd}, result{code::fine}>;
struct knows_slow {
  using role = anew::roles::classifier;
  [[nodiscard]] static anew::directive classify(code what) {
    if (what == code::slow) return anew::directive::retry();
    return anew::directive::unclassified();
  }
};
void no_opinion() {
  std::puts("a result without an opinion");
  ask(anew::with<usual, knows_slow>{}, fails_oddly{});
  // [opinion]
  using mended = anew::with<usual, anew::first_of<knows_slow, anew::retry_all>>;
  // [/opinion]
  ask(mended{}, fails_oddly{});
}

// not_retryable

void programmers_error() {
  std::puts("an exception that stands for a bug");
  using fails_as_a_bug = fails_twice<std::out_of_range>;
  ask(all{}, fails_as_a_bug{});
  // [bug]
  using named = anew::idempotent_only<anew::retry_on<std::out_of_range>>;
  using mended = anew::with<usual, anew::first_of<named, anew::retry_all>>;
  // [/bug]
  ask(mended{}, anew::idempotent(fails_as_a_bug{}));
}

struct response {
  int status;
};
template <int Status>
using answers = returns_twice<response{Status}, response{200}>;
void final_answer() {
  std::puts("an answer that is final");
  using http = anew::with<usual, anew::http_status_classifier<>>;
  ask(http{}, answers<404>{});
  // [rule]
  auto const not_there = [](response const& r) { return r.status == 404; };
  auto const rules = anew::any_of{anew::retry_if{not_there}, anew::http_status_classifier<>{}};
  auto const mended = anew::compose(rules, anew::no_backoff{}, virtual_clock{});
  // [/rule]
  ask(mended, answers<404>{});
}

// not_idempotent, not_replayable

void may_have_run() {
  std::puts("an attempt that may have run");
  using http = anew::with<usual, anew::http_status_classifier<>>;
  ask(http{}, answers<500>{});
  // [idempotent]
  auto const mended = anew::idempotent(answers<500>{});
  // [/idempotent]
  ask(http{}, mended);
}

void runs_once() {
  std::puts("an operation that runs once");
  ask(all{}, anew::one_shot(fails{}));
  std::string body = "body";
  // [rewinding]
  auto const mended = anew::rewinding(fails{}, [&body] { body = "body"; });
  // [/rewinding]
  ask(all{}, mended);
}

// attempts, nested, quota

void too_few_attempts() {
  std::puts("one attempt");
  ask(anew::with<all, anew::max_attempts<1>>{}, fails{});
  std::puts("too few attempts");
  ask(anew::with<all, anew::max_attempts<2>>{}, fails{});
  // [attempts]
  using mended = anew::with<all, anew::max_attempts<5>>;
  // [/attempts]
  ask(mended{}, fails{});
}

void inside_a_call() {
  std::puts("a call inside an attempt");
  using guarded = anew::with<all, anew::nesting_guard<>>;
  anew::retry(guarded{}, [] {
    ask(guarded{}, fails{});
    // [nested]
    using mended = anew::with<all, anew::nesting_guard<anew::when_nested::share_quota>, anew::token_bucket<500>>;
    // [/nested]
    ask(mended{}, fails{});
  });
}

void budget_spent() {
  std::puts("a budget that is spent");
  ask(anew::with<all, anew::token_bucket<14>>{}, fails{});
  // [quota]
  using mended = anew::with<all, anew::token_bucket<500>>;
  // [/quota]
  ask(mended{}, fails{});
}

// deadline, hint_too_long

void too_late() {
  std::puts("a delay that passes the deadline");
  using slow = anew::with<all, anew::constant_backoff<2s>, anew::no_jitter, anew::max_attempts<3>>;
  ask(anew::with<slow, anew::deadline<3s>>{}, fails{});
  // [deadline]
  using mended = anew::with<slow, anew::deadline<10s>>;
  // [/deadline]
  ask(mended{}, fails{});
}

struct throttled : busy {
  using busy::busy;
  [[nodiscard]] std::optional<anew::duration> retry_after() const override { return 1h; }
};
void asked_for_an_hour() {
  std::puts("a server that asks for an hour");
  ask(usual{}, fails_twice<throttled>{});
  // [hint]
  using mended = anew::with<usual, anew::server_hint<anew::long_hint::stop, 2h>>;
  // [/hint]
  ask(mended{}, fails_twice<throttled>{});
}

// gate_closed, rate_limited

void breaker_open() {
  std::puts("a breaker that opens");
  using guarded = anew::with<all, anew::circuit_breaker<2, 30s>, anew::max_attempts<5>>;
  ask(guarded{}, fails{});
  // [gate]
  using mended = anew::with<guarded, anew::cool_down<anew::constant_backoff<30s>>>;  // waits instead
  // [/gate]
  ask(mended{}, fails{});
}

void no_room() {
  std::puts("a rate that is exceeded");
  ask(anew::with<all, anew::rate_limit<1, 1s, 1, 0s>>{}, fails{});
  // [rate]
  using mended = anew::with<all, anew::rate_limit<1, 1s, 1, 5s>>;  // waits up to 5 s
  // [/rate]
  ask(mended{}, fails{});
}

// cancelled

void stopped() {
  std::puts("a stop");
  std::stop_source source;
  source.request_stop();
  ask(all{}, fails{}, source.get_token());
  // [stop]
  std::stop_source const mended;  // one for each use, and none that an earlier use has stopped
  // [/stop]
  ask(all{}, fails{}, mended.get_token());
}

// succeeded

void number() {
  std::puts("a number that means an error");
  using sends = returns_twice<-1, 4096>;
  ask(anew::with<usual, anew::retry_on<net_error>>{}, sends{});
  // [number]
  auto const is_error = [](int sent) { return sent == -1; };
  auto const mended = anew::compose(anew::retry_while{is_error}, anew::no_backoff{}, virtual_clock{});
  // [/number]
  ask(mended, sends{});
}

}  // namespace

int main() {
  unnamed();
  inherited_privately();
  pointer();
  causes();
  no_opinion();
  programmers_error();
  final_answer();
  may_have_run();
  runs_once();
  too_few_attempts();
  inside_a_call();
  budget_spent();
  too_late();
  asked_for_an_hour();
  breaker_open();
  no_room();
  stopped();
  number();
}
