// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_ARCHETYPES_HPP
#define ANEW_TESTS_SUPPORT_ARCHETYPES_HPP

#include <cstdint>
#include <optional>

#include "anew/anew.hpp"

/// The least that a policy of each role must be: what a user writes who reads nothing but the concept's table.
namespace support {

struct least_backoff {
  using role = anew::roles::backoff;
  [[nodiscard]] anew::duration delay(std::uint32_t retry) const { return anew::duration{1'000'000} * retry; }
};

struct least_jitter {
  using role = anew::roles::jitter;
  template <class R>
  [[nodiscard]] anew::duration apply(anew::duration ceiling, R& random) const {
    return ceiling -
           anew::duration{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(ceiling.count() / 2 + 1))};
  }
};

/// Waits at least what it waited before.
struct least_remembering_jitter {
  using role = anew::roles::jitter;
  using state_type = anew::duration;
  template <class R>
  [[nodiscard]] anew::duration apply(anew::delay_bounds const& bounds, state_type& state, R& random) const {
    auto const room = static_cast<std::uint64_t>((bounds.ceiling / 2).count()) + 1;
    auto const drawn = anew::duration{static_cast<std::int64_t>(random() % room)} + bounds.ceiling / 2;
    state = drawn < state ? state : drawn;
    return state;
  }
};

struct least_quota {
  using role = anew::roles::quota;
  using permit_type = int;
  [[nodiscard]] std::optional<int> try_acquire(anew::failure const& /*f*/) const { return 1; }
  void on_success(int /*permit*/) const {}
  void release(int /*permit*/) const {}
};

struct least_classifier {
  using role = anew::roles::classifier;
  [[nodiscard]] anew::directive classify(int error) const {
    return error == 1 ? anew::directive::retry(anew::error_kind::server) : anew::directive::fail();
  }
};

struct least_max_attempts {
  using role = anew::roles::max_attempts;
  [[nodiscard]] bool permits_another(std::uint32_t made) const { return made < 2; }
};

struct least_hint {
  using role = anew::roles::hint;
  [[nodiscard]] std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked,
                                                           anew::duration cap) const {
    if (asked > cap) return std::nullopt;
    return anew::planned_delay{computed < asked ? asked : computed, anew::delay_origin::hint};
  }
};

struct least_deadline {
  using role = anew::roles::deadline;
  [[nodiscard]] anew::duration total() const { return anew::duration{5'000'000'000}; }
  [[nodiscard]] std::optional<anew::duration> fit(anew::duration delay, anew::duration remaining) const {
    if (delay >= remaining) return std::nullopt;
    return delay;
  }
};

struct least_observer {
  using role = anew::roles::observer;
  void on_end(anew::end_event const& /*e*/) const {}
};

struct least_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  [[nodiscard]] anew::time_point now() const { return {}; }
};

struct least_random_source {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const { return 42; }
};

}  // namespace support

#endif
