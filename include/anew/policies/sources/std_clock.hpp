// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SOURCES_STD_CLOCK_HPP
#define ANEW_POLICIES_SOURCES_STD_CLOCK_HPP

#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A clock of the standard's kind as a policy: `std_clock<std::chrono::steady_clock>`, which is what a strategy without
/// a clock uses.
///
/// Models: Clock (empty)      Cost: that of `C::now()`
/// Formula: none
/// Requires: a class with a static `now()` that is steady; its epoch need not be the steady clock's
/// Choose it for a clock of your own with a static `now()`. Not for one with state: write a policy.
/// Source: none
template <class C>
struct std_clock {
  using role = roles::clock;
  static constexpr bool is_steady = C::is_steady;
  [[nodiscard]] static time_point now() noexcept(noexcept(C::now())) {
    return time_point{detail::saturate(C::now().time_since_epoch())};
  }
  [[nodiscard]] static std::string describe() {
    return std::is_same_v<C, std::chrono::steady_clock> ? "steady_clock" : "clock";
  }
};

/// The same random numbers in every run that begins with the same seed. Moving it continues the sequence.
///
/// Models: RandomSource (16 bytes)      Cost: an atomic addition and about 3 ns a number
/// Formula: number n is the first number of generator(seed, n)
/// Requires: nothing
/// Choose it for a run that you want to repeat. Not in production: every process with the seed waits as every other one.
/// Source: generator
class seeded_source {
 public:
  using role = roles::random_source;

  constexpr seeded_source() noexcept : seeded_source{1} {}
  constexpr explicit seeded_source(std::uint64_t seed) noexcept : seed_{seed} {}
  seeded_source(seeded_source&& other) noexcept : seed_{other.seed_}, drawn_{other.drawn_.load()} {}
  seeded_source& operator=(seeded_source&&) = delete;
  seeded_source(seeded_source const&) = delete;
  seeded_source& operator=(seeded_source const&) = delete;
  ~seeded_source() = default;

  std::uint64_t operator()() const noexcept { return generator{seed_, drawn_.fetch_add(1)}(); }
  [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }

  [[nodiscard]] std::string describe() const { return std::string{"seed("}.append(std::to_string(seed_)).append(")"); }

 private:
  std::uint64_t seed_;
  mutable detail::atomic_cell<std::uint64_t> drawn_{0};
};

}  // namespace anew::inline ANEW_ABI

#endif
