// SPDX-License-Identifier: BSL-1.0
// For every role the least that plays it, and a strategy of nothing else. docs/concepts.md quotes this file.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "anew/anew.hpp"

#include "support/expected.hpp"

using namespace std::chrono_literals;

namespace minimal {

// [backoff]
struct backoff {
  using role = anew::roles::backoff;
  [[nodiscard]] anew::duration delay(std::uint32_t retry) const { return retry == 1 ? 1ms : 10ms; }
};
static_assert(anew::Backoff<backoff>);
// [/backoff]

// [jitter]
struct jitter {
  using role = anew::roles::jitter;
  template <anew::RandomSource Random>
  [[nodiscard]] anew::duration apply(anew::duration ceiling, Random& random) const {
    return ceiling - anew::random_up_to(ceiling / 4, random);
  }
};
static_assert(anew::Jitter<jitter>);
// [/jitter]

// [remembering_jitter]
struct remembering_jitter {
  using role = anew::roles::jitter;
  using state_type = anew::duration;  // one per call, in its token
  template <anew::RandomSource Random>
  [[nodiscard]] anew::duration apply(anew::delay_bounds const& bounds, state_type& last, Random& random) const {
    return last = (last + anew::random_up_to(bounds.ceiling, random)) / 2;
  }
};
static_assert(anew::Jitter<remembering_jitter>);
// [/remembering_jitter]

// [quota]
struct quota {
  using role = anew::roles::quota;
  using permit_type = anew::no_permit;  // nothing to give back
  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& why) const {
    if (why.kind == anew::error_kind::throttling) return std::nullopt;
    return permit_type{};
  }
  void on_success(permit_type) const {}
  void release(permit_type) const {}
};
static_assert(anew::Quota<quota>);
// [/quota]

// [error]
struct error {
  bool is_final = false;
  [[nodiscard]] anew::retry_safety is_retry_safe() const {
    return is_final ? anew::retry_safety::no : anew::retry_safety::yes;
  }
};
static_assert(anew::RetryInfo<error>);
// [/error]

// [classifier]
struct classifier {
  using role = anew::roles::classifier;
  [[nodiscard]] anew::directive classify(error const& e) const {
    return e.is_final ? anew::directive::fail() : anew::directive::retry(anew::error_kind::transient);
  }
};
static_assert(anew::ClassifierOf<classifier, error>);
// [/classifier]

// [max_attempts]
struct max_attempts {
  using role = anew::roles::max_attempts;
  [[nodiscard]] bool permits_another(std::uint32_t made) const { return made < 4; }
};
static_assert(anew::MaxAttempts<max_attempts>);
// [/max_attempts]

// [hint]
struct hint {
  using role = anew::roles::hint;
  [[nodiscard]] std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked,
                                                           anew::duration cap) const {
    if (asked > cap) return std::nullopt;
    return anew::planned_delay{asked > computed ? asked : computed, anew::delay_origin::hint};
  }
};
static_assert(anew::Hint<hint>);
// [/hint]

// [deadline]
struct deadline {
  using role = anew::roles::deadline;
  [[nodiscard]] anew::duration total() const { return 1s; }
  [[nodiscard]] std::optional<anew::duration> fit(anew::duration delay, anew::duration remaining) const {
    return delay < remaining ? std::optional{delay} : std::nullopt;
  }
};
static_assert(anew::Deadline<deadline>);
// [/deadline]

// [attempt_timeout]
struct attempt_timeout {
  using role = anew::roles::attempt_timeout;
  [[nodiscard]] anew::duration of(anew::duration remaining) const { return remaining - remaining / 2; }
};
static_assert(anew::AttemptTimeout<attempt_timeout>);
// [/attempt_timeout]

// [gate]
struct gate {
  using role = anew::roles::gate;
  using pass_type = bool;  // false: nothing held
  [[nodiscard]] anew::admission<bool> try_enter(anew::time_point now) const {
    if (now < is_over) return anew::admission<bool>::ask_again_in(is_over - now);
    return anew::admission<bool>::admit(true);
  }
  void on_success(bool, anew::time_point) const {}
  void on_failure(bool, anew::failure const&, anew::time_point) const {}
  void release(bool) const {}
  static constexpr anew::time_point is_over{};  // of a maintenance that was announced
};
static_assert(anew::Gate<gate>);
// [/gate]

// [pacer]
struct pacer {
  using role = anew::roles::pacer;
  using ticket_type = bool;  // false: nothing reserved
  [[nodiscard]] anew::pace ask(bool& waits, anew::time_point) const {
    waits = !waits;
    return waits ? anew::pace{.wait = 10ms} : anew::pace{};  // every attempt waits once
  }
  void on_success(anew::time_point) const {}
  void on_failure(anew::failure const&, anew::time_point) const {}
  void release(bool) const {}
};
static_assert(anew::Pacer<pacer>);
// [/pacer]

// [reset]
struct reset {
  using role = anew::roles::reset;
  [[nodiscard]] bool starts_over(anew::duration ran) const { return ran >= 1min; }
};
static_assert(anew::Reset<reset>);
// [/reset]

// [nesting]
struct nesting {
  using role = anew::roles::nesting;
  using permit_type = anew::no_permit;
  static constexpr auto refusal = anew::stop_reason::nested;
  struct scope {
    scope() { ++depth(); }
    scope(scope const&) = delete;
    scope& operator=(scope const&) = delete;
    ~scope() { --depth(); }
  };
  template <class Quota>
  [[nodiscard]] scope enter(Quota const&) const {
    return {};
  }
  [[nodiscard]] bool is_nested() const { return depth() > 0; }
  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const&) const { return std::nullopt; }
  void on_success(permit_type) const {}
  void on_failure(permit_type) const {}
  void release(permit_type) const {}
  static int& depth() {
    thread_local int attempts_under_way = 0;
    return attempts_under_way;
  }
};
static_assert(anew::Nesting<nesting>);
// [/nesting]

// [observer]
struct observer {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& end) const {
    std::printf("%u attempts, %s\n", end.attempts, to_string(end.reason));
  }
};
static_assert(anew::Observer<observer>);
// [/observer]

// [history]
struct history {
  using role = anew::roles::history;
  template <class Error>
  struct log {
    void add(std::uint32_t, anew::failure const&, Error const&) { ++failures; }
    void add(std::uint32_t, anew::failure const&) { ++failures; }
    int failures = 0;
  };
};
static_assert(anew::History<history>);
// [/history]

// [clock]
struct clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] anew::time_point now() const { return {}; }
};
static_assert(anew::Clock<clock>);
// [/clock]

// [random_source]
struct random_source {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const { return 42; }
};
static_assert(anew::RandomSourcePolicy<random_source>);
// [/random_source]

// [sleeper]
struct sleeper {
  void operator()(anew::duration delay) { slept += delay; }
  anew::duration slept{};
};
static_assert(anew::Sleeper<sleeper>);
// [/sleeper]

// [stop_token]
struct stop_token {
  bool const* flag = nullptr;
  [[nodiscard]] bool stop_requested() const { return flag != nullptr && *flag; }
  [[nodiscard]] bool stop_possible() const { return flag != nullptr; }
};
static_assert(anew::StopToken<stop_token>);
// [/stop_token]

// [retry_token]
struct token {
  int attempt = 1;
  [[nodiscard]] anew::duration delay() const { return attempt == 1 ? 0ms : 1ms; }
};
static_assert(anew::RetryToken<token>);
// [/retry_token]

// [retry_strategy]
struct strategy {
  using token_type = token;
  [[nodiscard]] token acquire_initial_token() const { return {}; }
  [[nodiscard]] anew::refreshed<token> refresh_retry_token(token&& used, anew::failure const& why) const {
    if (why.safety == anew::retry_safety::no) return anew::stop_reason::not_retryable;
    if (used.attempt == 2) return anew::stop_reason::attempts;
    return token{used.attempt + 1};
  }
  void record_success(token&&) const {}
};
static_assert(anew::RetryStrategy<strategy>);
// [/retry_strategy]

// [composed]
using composed = anew::strategy<backoff, jitter, quota, classifier, max_attempts, hint, deadline, attempt_timeout, gate,
                                pacer, reset, nesting, observer, history, clock, random_source>;
static_assert(anew::RetryStrategy<composed> && sizeof(composed) == 1);
// [/composed]

}  // namespace minimal

int main() {
  using result = expected<int, minimal::error>;
  minimal::sleeper sleep;
  bool const stop = false;
  int failures = 3;
  auto const operation = [&](anew::attempt&) { return failures-- > 0 ? result{minimal::error{}} : result{42}; };

  (void)anew::retry(minimal::composed{}, operation, sleep, minimal::stop_token{&stop});
  failures = 2;
  (void)anew::retry(anew::with<minimal::composed, minimal::remembering_jitter>{}, operation, sleep);
  failures = 3;
  auto const outcome = anew::retry_outcome(minimal::strategy{}, operation, sleep);
  std::printf("%u attempts, %s\n", outcome.attempts(), to_string(outcome.reason()));
}
