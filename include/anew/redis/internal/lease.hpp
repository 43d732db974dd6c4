// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_REDIS_INTERNAL_LEASE_HPP
#define ANEW_REDIS_INTERNAL_LEASE_HPP

#include <cstdint>

#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/atomic.hpp"
#include "anew/platform/internal/fork.hpp"
#include "anew/value/duration.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Tokens that this process has taken already, and may spend until a time without a question. A forked child does not
/// inherit them.
class lease {
 public:
  [[nodiscard]] std::uint32_t tokens() const noexcept { return tokens_of(word_.load()); }
  [[nodiscard]] bool runs_at(time_point now) const noexcept { return now.time_since_epoch().count() < until_.load(); }
  void run_until(time_point end) noexcept { until_.store_release(end.time_since_epoch().count()); }

  [[nodiscard]] bool take(std::uint32_t cost, time_point now) noexcept {
    if (!runs_at(now)) return false;
    auto word = word_.load();
    while (tokens_of(word) >= cost) {
      if (word_.compare_exchange_weak(word, word - cost)) return true;
    }
    return false;
  }
  void add(std::uint32_t amount) noexcept {
    auto word = word_.load();
    for (;;) {
      auto const had = std::uint64_t{tokens_of(word)} + amount;
      auto const has = static_cast<std::uint32_t>(had < UINT32_MAX ? had : UINT32_MAX);
      if (word_.compare_exchange_weak(word, word_of(has))) return;
    }
  }
  [[nodiscard]] std::uint32_t take_all() noexcept {
    auto word = word_.load();
    while (!word_.compare_exchange_weak(word, word_of(0))) continue;
    return tokens_of(word);
  }

 private:
  static std::uint64_t word_of(std::uint32_t tokens) noexcept {
    return std::uint64_t{counted_fork_generation()} << 32U | tokens;
  }
  static std::uint32_t tokens_of(std::uint64_t word) noexcept {
    return word >> 32U == counted_fork_generation() ? static_cast<std::uint32_t>(word) : 0;
  }

  atomic_cell<std::uint64_t> word_{0};
  atomic_cell<std::int64_t> until_{INT64_MIN};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
