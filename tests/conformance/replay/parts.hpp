// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_PARTS_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_PARTS_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "anew/anew.hpp"
#include "anew/policies/jitter/cap_after_draw.hpp"

namespace replay {

/// Milliseconds as files write them, to the nearest nanosecond. Throws for what is negative or no number.
[[nodiscard]] anew::duration from_ms(double ms, std::string_view name);
[[nodiscard]] double to_ms(anew::duration value) noexcept;

/// Two delays that are the same: files write milliseconds as doubles, the library counts nanoseconds.
[[nodiscard]] bool is_same_delay(double got_ms, double expected_ms) noexcept;

/// The fraction that a decimal number stands for.
[[nodiscard]] anew::rational to_factor(double value, std::string_view name);

/// A random source that always yields the same number from 0 to 1: as a jitter reads it, that share of the delay.
class fixed_random {
 public:
  using role = anew::roles::random_source;

  explicit fixed_random(double share);
  [[nodiscard]] constexpr std::uint64_t operator()() const noexcept { return word_; }

 private:
  std::uint64_t word_;
};

/// min(cap, base * factor^(n-1)) for any numbers a file may hold: the library has a policy of its own for a base of
/// zero and for a base at or above the cap.
class any_backoff {
 public:
  using role = anew::roles::backoff;

  any_backoff(anew::duration base, anew::duration cap, anew::rational by);

  [[nodiscard]] anew::duration delay(std::uint32_t retry) const {
    return std::visit([retry](auto const& policy) { return policy.delay(retry); }, policy_);
  }
  [[nodiscard]] anew::duration cap() const {
    return std::visit([](auto const& policy) { return policy.cap(); }, policy_);
  }

 private:
  using growing = anew::exponential_backoff<anew::run_time, anew::run_time, anew::at_run_time<anew::rational>>;
  using constant = anew::constant_backoff<anew::run_time>;
  using chosen = std::variant<anew::no_backoff, constant, growing>;
  static chosen choose(anew::duration base, anew::duration cap, anew::rational by);
  chosen policy_;
};

}  // namespace replay

#endif
