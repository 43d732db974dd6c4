// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_ARCHETYPES_HPP
#define ANEW_TESTING_ARCHETYPES_HPP

#include <cstdint>
#include <optional>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/deadline.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/history.hpp"
#include "anew/roles/jitter.hpp"
#include "anew/roles/nesting.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/retry_strategy.hpp"
#include "anew/roles/roles.hpp"

/// For each concept the least that models it: what a user writes who reads nothing but the concept's table. Something
/// generic over policies that works with these works with any other model.
namespace anew::inline ANEW_ABI::testing {

struct least_backoff {
  using role = roles::backoff;
  [[nodiscard]] duration delay(std::uint32_t retry) const { return duration{1'000'000} * retry; }
};

struct least_jitter {
  using role = roles::jitter;
  [[nodiscard]] duration apply(duration ceiling, auto& random) const {
    return ceiling -
           duration{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(ceiling.count() / 2 + 1))};
  }
};

/// Waits at least what it waited before.
struct least_remembering_jitter {
  using role = roles::jitter;
  using state_type = duration;
  [[nodiscard]] duration apply(delay_bounds const& bounds, state_type& state, auto& random) const {
    auto const room = static_cast<std::uint64_t>((bounds.ceiling / 2).count()) + 1;
    auto const drawn = duration{static_cast<std::int64_t>(random() % room)} + bounds.ceiling / 2;
    state = drawn < state ? state : drawn;
    return state;
  }
};

struct least_quota {
  using role = roles::quota;
  using permit_type = int;
  [[nodiscard]] std::optional<int> try_acquire(failure const& /*f*/) const { return 1; }
  void on_success(int /*permit*/) const {}
  void release(int /*permit*/) const {}
};

struct least_classifier {
  using role = roles::classifier;
  [[nodiscard]] directive classify(int error) const {
    return error == 1 ? directive::retry(error_kind::server) : directive::fail();
  }
};

struct least_max_attempts {
  using role = roles::max_attempts;
  [[nodiscard]] bool permits_another(std::uint32_t made) const { return made < 2; }
};

struct least_hint {
  using role = roles::hint;
  [[nodiscard]] std::optional<planned_delay> resolve(duration computed, duration asked, duration cap) const {
    if (asked > cap) return std::nullopt;
    return planned_delay{computed < asked ? asked : computed, delay_origin::hint};
  }
};

struct least_deadline {
  using role = roles::deadline;
  [[nodiscard]] duration total() const { return duration{5'000'000'000}; }
  [[nodiscard]] std::optional<duration> fit(duration delay, duration remaining) const {
    if (delay >= remaining) return std::nullopt;
    return delay;
  }
};

struct least_gate {
  using role = roles::gate;
  using pass_type = int;
  [[nodiscard]] admission<int> try_enter(time_point /*now*/) const { return admission<int>::admit(1); }
  void on_success(int /*pass*/, time_point /*now*/) const {}
  void on_failure(int /*pass*/, failure const& /*f*/, time_point /*now*/) const {}
  void release(int /*pass*/) const {}
};

struct least_attempt_timeout {
  using role = roles::attempt_timeout;
  [[nodiscard]] duration of(duration remaining) const { return remaining - remaining / 2; }
};

struct least_pacer {
  using role = roles::pacer;
  using ticket_type = int;
  [[nodiscard]] pace ask(int& ticket, time_point /*now*/) const {
    if (ticket == 0) ticket = 1;  // waits once
    if (++ticket == 2) return {duration{1}};
    ticket = 0;
    return {};
  }
  void on_success(time_point /*now*/) const {}
  void on_failure(failure const& /*f*/, time_point /*now*/) const {}
  void release(int /*ticket*/) const {}
};

struct least_reset {
  using role = roles::reset;
  [[nodiscard]] bool starts_over(duration ran) const { return ran > duration{60'000'000'000}; }
};

struct least_nesting {
  using role = roles::nesting;
  using permit_type = int;
  static constexpr stop_reason refusal = stop_reason::nested;
  [[nodiscard]] int enter(auto const& /*quota*/) const { return 0; }
  [[nodiscard]] bool is_nested() const { return false; }
  [[nodiscard]] std::optional<int> try_acquire(failure const& /*f*/) const { return std::nullopt; }
  void on_success(int /*permit*/) const {}
  void on_failure(int /*permit*/) const {}
  void release(int /*permit*/) const {}
};

struct least_observer {
  using role = roles::observer;
  void on_end(end_event const& /*e*/) const {}
};

struct least_history {
  using role = roles::history;
  template <class E>
  struct log {
    std::uint32_t failures = 0;
    void add(std::uint32_t /*attempt*/, failure const& /*f*/) { ++failures; }
    void add(std::uint32_t /*attempt*/, failure const& /*f*/, E const& /*error*/) { ++failures; }
  };
};

struct least_clock {
  using role = roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] time_point now() const { return {}; }
};

struct least_random_source {
  using role = roles::random_source;
  std::uint64_t operator()() const { return thread_random{}(); }
};

struct least_operation {
  bool operator()() const { return true; }
};

struct least_sleeper {
  void operator()(duration /*delay*/) const {}
};

struct least_stop_token {
  [[nodiscard]] bool stop_requested() const { return false; }
  [[nodiscard]] bool stop_possible() const { return false; }
};

struct least_token {
  [[nodiscard]] duration delay() const { return {}; }
};

/// Retries once what says that it is safe.
struct least_strategy {
  struct token_type : least_token {
    bool is_first = true;
  };
  [[nodiscard]] token_type acquire_initial_token() const { return {}; }
  [[nodiscard]] refreshed<token_type> refresh_retry_token(token_type&& token, failure const& what) const {
    if (what.safety == retry_safety::no) return stop_reason::not_retryable;
    if (!token.is_first) return stop_reason::attempts;
    token_type next;
    next.is_first = false;
    return next;
  }
  void record_success(token_type&& /*token*/) const {}
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
