// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_SEEDED_RANDOM_HPP
#define ANEW_TESTING_SEEDED_RANDOM_HPP

#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::testing {

/// Good random numbers that are the same in every run, from the standard library's generator. Copies share it.
///
/// Models: RandomSource (safe from many threads, which then share one sequence)
/// Formula: none
/// Requires: nothing      Cost: 2.5 kB; a lock and some nanoseconds a number
/// Choose it for statistics over many delays. Not for one call whose delays are written down: scripted_random.
/// Source: std::mt19937_64
class seeded_random {
 public:
  using role = roles::random_source;

  explicit seeded_random(std::uint64_t seed = 1) : state_{std::make_shared<state>(seed)} {}
  seeded_random(seeded_random const&) = default;
  seeded_random& operator=(seeded_random const&) = default;
  ~seeded_random() = default;

  std::uint64_t operator()() const {
    anew::detail::platform::lock_guard const lock{state_->mutex};
    return static_cast<std::uint64_t>(state_->engine());
  }

  [[nodiscard]] static std::string describe() { return "seeded_random"; }

 private:
  struct state {
    explicit state(std::uint64_t seed) : engine{seed} {}
    anew::detail::platform::mutex mutex;
    std::mt19937_64 engine;
  };
  std::shared_ptr<state> state_;
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
