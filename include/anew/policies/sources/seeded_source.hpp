// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SOURCES_SEEDED_SOURCE_HPP
#define ANEW_POLICIES_SOURCES_SEEDED_SOURCE_HPP

#include <cstdint>
#include <string>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

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
