// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_LEASE_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_LEASE_HPP

#include <cstdint>
#include <optional>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Tokens that this process has taken already, and may spend until a time without a question. They belong to a life: one
/// process and one epoch of the bucket in Redis. Tokens of another life are not added to them.
class lease {
 public:
  /// Of this process and of the epoch that it knows. A forked child and a new epoch have another.
  [[nodiscard]] std::uint32_t life() const noexcept { return counted_fork_generation() + epochs_.load_acquire(); }
  [[nodiscard]] std::uint32_t tokens() const noexcept { return tokens_of(word_.load()); }
  [[nodiscard]] bool runs_at(time_point now) const noexcept { return now.time_since_epoch().count() < until_.load(); }
  void run_until(time_point end) noexcept { until_.store_release(end.time_since_epoch().count()); }

  /// The life that they were taken from.
  [[nodiscard]] std::optional<std::uint32_t> take(std::uint32_t cost, time_point now) noexcept {
    if (!runs_at(now)) return std::nullopt;
    auto word = word_.load();
    while (tokens_of(word) >= cost) {
      if (word_.compare_exchange_weak(word, word - cost)) return life_of(word);
    }
    return std::nullopt;
  }
  void add(std::uint32_t amount, std::uint32_t life) noexcept {
    auto word = word_.load();
    while (life_of(word) == life) {
      auto const had = std::uint64_t{tokens_of(word)} + amount;
      auto const has = had < UINT32_MAX ? had : UINT32_MAX;
      if (word_.compare_exchange_weak(word, word_of(life, has))) return;
    }
  }
  [[nodiscard]] std::uint32_t take_all() noexcept {
    auto word = word_.load();
    while (!word_.compare_exchange_weak(word, word_of(life_of(word), 0))) continue;
    return tokens_of(word);
  }
  /// The epoch is another one: its tokens are gone. Called by one thread at a time.
  void begin_an_epoch() noexcept {
    epochs_.store_release(epochs_.load() + 1);
    auto word = word_.load();
    while (!word_.compare_exchange_weak(word, word_of(life(), 0))) continue;
  }

 private:
  static constexpr std::uint64_t word_of(std::uint32_t life, std::uint64_t tokens) noexcept {
    return std::uint64_t{life} << 32U | tokens;
  }
  static constexpr std::uint32_t life_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> 32U);
  }
  [[nodiscard]] std::uint32_t tokens_of(std::uint64_t word) const noexcept {
    return life_of(word) == life() ? static_cast<std::uint32_t>(word) : 0;
  }

  atomic_cell<std::uint64_t> word_{0};
  atomic_cell<std::uint32_t> epochs_{0};
  atomic_cell<std::int64_t> until_{INT64_MIN};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
