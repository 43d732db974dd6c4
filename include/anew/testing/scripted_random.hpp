// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_SCRIPTED_RANDOM_HPP
#define ANEW_TESTING_SCRIPTED_RANDOM_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::testing {

/// Words for which a uniform draw in [0, bound] yields 0, about the middle, and bound.
inline constexpr std::uint64_t lowest_word = 0;
inline constexpr std::uint64_t middle_word = std::uint64_t{1} << 63U;
inline constexpr std::uint64_t highest_word = ~std::uint64_t{0};

/// Always draws the least, and has no state: for strategies that are spelled as types.
///
/// Models: RandomSource (empty)
/// Formula: none
/// Cost: none
/// Source: none
struct lowest_random {
  using role = roles::random_source;
  std::uint64_t operator()() const noexcept { return lowest_word; }
};

/// A random source that replays words; the last one is repeated for ever, so that one word is a fixed source.
///
/// `scripted_random{}` always draws the middle. Copies share the script and the count.
///
/// Models: RandomSource (safe from many threads)
/// Formula: none
/// Requires: nothing      Cost: one allocation when it is made
/// Choose it for delays that a test writes down. Not to see how delays spread: seeded_random.
/// Source: none
class scripted_random {
 public:
  using role = roles::random_source;

  scripted_random() : scripted_random{middle_word} {}
  scripted_random(std::initializer_list<std::uint64_t> words) : scripted_random{std::vector(words)} {}
  explicit scripted_random(std::vector<std::uint64_t> words) : state_{std::make_shared<state>(std::move(words))} {}
  scripted_random(scripted_random const&) = default;
  scripted_random& operator=(scripted_random const&) = default;
  ~scripted_random() = default;

  std::uint64_t operator()() const noexcept {
    std::size_t const call = state_->calls.fetch_add(1);
    return state_->words[call < state_->words.size() ? call : state_->words.size() - 1];
  }

  /// How many numbers were drawn.
  [[nodiscard]] std::size_t calls() const noexcept { return state_->calls.load(); }

  [[nodiscard]] static std::string describe() { return "scripted_random"; }

 private:
  struct state {
    explicit state(std::vector<std::uint64_t> given) : words{std::move(given)} {
      if (words.empty()) words.push_back(middle_word);
    }
    std::vector<std::uint64_t> words;
    std::atomic<std::size_t> calls{0};
  };
  std::shared_ptr<state> state_;
};

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
