// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_SCRIPTED_RANDOM_HPP
#define ANEW_TESTS_SUPPORT_SCRIPTED_RANDOM_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <vector>

#include "anew/roles.hpp"

namespace support {

/// Words with a meaning: what a uniform draw in [0, bound] makes of them is 0, about the middle, and bound.
inline constexpr std::uint64_t lowest_word = 0;
inline constexpr std::uint64_t middle_word = std::uint64_t{1} << 63U;
inline constexpr std::uint64_t highest_word = ~std::uint64_t{0};

/// A random source that replays words; the last one is repeated for ever, so one word is a fixed source.
/// Copies share the script and the count. Safe from many threads.
class scripted_random {
 public:
  using role = anew::roles::random_source;

  scripted_random() : scripted_random{middle_word} {}
  scripted_random(std::initializer_list<std::uint64_t> words) : state_{std::make_shared<state>(words)} {}
  scripted_random(scripted_random const&) = default;
  scripted_random& operator=(scripted_random const&) = default;
  ~scripted_random() = default;

  std::uint64_t operator()() const noexcept {
    std::size_t const call = state_->calls.fetch_add(1);
    return state_->words[call < state_->words.size() ? call : state_->words.size() - 1];
  }

  /// How many numbers were drawn.
  [[nodiscard]] std::size_t calls() const noexcept { return state_->calls.load(); }

 private:
  struct state {
    explicit state(std::initializer_list<std::uint64_t> given) : words{given} {}
    std::vector<std::uint64_t> words;
    std::atomic<std::size_t> calls{0};
  };
  std::shared_ptr<state> state_;
};

/// Good random numbers that are the same in every run, from the standard library's generator. One thread only.
class seeded_random {
 public:
  using role = anew::roles::random_source;

  explicit seeded_random(std::uint64_t seed = 1) : engine_{std::make_shared<std::mt19937_64>(seed)} {}
  seeded_random(seeded_random const&) = default;
  seeded_random& operator=(seeded_random const&) = default;
  ~seeded_random() = default;

  std::uint64_t operator()() const { return static_cast<std::uint64_t>((*engine_)()); }

 private:
  std::shared_ptr<std::mt19937_64> engine_;
};

}  // namespace support

#endif
