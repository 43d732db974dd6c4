// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_CLAIMS_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_CLAIMS_HPP

#include <cstddef>
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

enum class claim_state : std::uint32_t {
  free,
  written,  ///< it is being made
  waiting,  ///< for the next exchange
  sent,     ///< under way
  dropped,  ///< under way, and its retry is not made any more
  granted,
  refused,
  lost,  ///< the exchange had no answer
};

/// The permits that are asked for: each retry that waits for an answer has a place, from its question until it is
/// settled or released. Retries open, read and close places from any thread; the thread that exchanges with Redis, one
/// at a time, sends and answers them.
class claims {
 public:
  static constexpr std::uint32_t places = 256;

  /// A place, from 0; nothing when all are taken.
  [[nodiscard]] std::optional<std::uint32_t> open(std::uint32_t cost) noexcept {
    auto const from = next_.fetch_add(1);
    for (std::uint32_t i = 0; i != places; ++i) {
      auto const at = (from + i) % places;
      if (!change(at, claim_state::free, claim_state::written)) continue;
      all_[at].cost.store_release(cost);
      all_[at].due.store_release(INT64_MIN);
      waiting_.fetch_add(1);
      all_[at].state.store_release(static_cast<std::uint32_t>(claim_state::waiting));
      return at;
    }
    return std::nullopt;
  }
  [[nodiscard]] claim_state state(std::uint32_t at) const noexcept {
    return static_cast<claim_state>(all_[at].state.load_acquire());
  }
  /// The time of the first question about this place: `now` for the first.
  [[nodiscard]] time_point due(std::uint32_t at, time_point now) noexcept {
    auto& due = all_[at].due;
    if (due.load() == INT64_MIN) due.store_release(now.time_since_epoch().count());
    return time_point{duration{due.load()}};
  }
  [[nodiscard]] std::uint32_t waiting() const noexcept { return waiting_.load(); }

  /// Closes the place of a retry that is made, or not made any more. If tokens were granted for it, the caller now has
  /// them: returns the life of the lease that they are of.
  std::optional<std::uint32_t> close(std::uint32_t at) noexcept {
    for (;;) {
      switch (auto const was = state(at)) {
        case claim_state::waiting:
          if (!change(at, was, claim_state::free)) continue;
          waiting_.fetch_add(static_cast<std::uint32_t>(-1));
          return std::nullopt;
        case claim_state::sent:
          if (!change(at, was, claim_state::dropped)) continue;
          return std::nullopt;
        case claim_state::granted: {
          auto const life = all_[at].life.load_acquire();
          return change(at, was, claim_state::free) ? std::optional{life} : std::nullopt;
        }
        case claim_state::refused:
        case claim_state::lost: static_cast<void>(change(at, was, claim_state::free)); return std::nullopt;
        default: return std::nullopt;  // not one that is out
      }
    }
  }

  // For the thread that exchanges.

  /// Sends all that wait: the tokens that they want.
  [[nodiscard]] std::uint32_t send() noexcept {
    std::uint32_t wanted = 0;
    for (std::uint32_t at = 0; at != places && waiting_.load() != 0; ++at) {
      if (state(at) != claim_state::waiting || !change(at, claim_state::waiting, claim_state::sent)) continue;
      waiting_.fetch_add(static_cast<std::uint32_t>(-1));
      under_way_[sent_++] = static_cast<std::uint16_t>(at);
      wanted += all_[at].cost.load_acquire();
    }
    return wanted;
  }
  /// Answers those under way out of `granted`, which is of that life; returns the rest.
  [[nodiscard]] std::uint32_t answer(std::uint32_t granted, std::uint32_t life) noexcept {
    for (; sent_ != 0; --sent_) {
      auto const at = under_way_[sent_ - 1];
      auto const cost = all_[at].cost.load_acquire();
      bool const pays = granted >= cost;
      all_[at].life.store_release(life);
      if (change(at, claim_state::sent, pays ? claim_state::granted : claim_state::refused)) {
        if (pays) granted -= cost;
      } else {
        static_cast<void>(change(at, claim_state::dropped, claim_state::free));
      }
    }
    return granted;
  }
  void lose() noexcept {
    for (; sent_ != 0; --sent_) {
      auto const at = under_way_[sent_ - 1];
      if (!change(at, claim_state::sent, claim_state::lost)) {
        static_cast<void>(change(at, claim_state::dropped, claim_state::free));
      }
    }
  }

 private:
  struct place {
    atomic_cell<std::uint32_t> state{0};
    atomic_cell<std::uint32_t> cost{0};
    atomic_cell<std::uint32_t> life{0};  ///< of the lease that pays
    atomic_cell<std::int64_t> due{INT64_MIN};
  };
  [[nodiscard]] bool change(std::uint32_t at, claim_state from, claim_state to) noexcept {
    auto const wanted = static_cast<std::uint32_t>(from);
    auto found = wanted;
    while (found == wanted) {
      if (all_[at].state.compare_exchange_weak_acq_rel(found, static_cast<std::uint32_t>(to))) return true;
    }
    return false;
  }

  place all_[places]{};
  atomic_cell<std::uint32_t> next_{0};
  atomic_cell<std::uint32_t> waiting_{0};
  std::uint16_t under_way_[places]{};
  std::uint32_t sent_ = 0;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
