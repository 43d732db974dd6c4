// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_CLAIMS_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_CLAIMS_HPP

#include <cstdint>
#include <optional>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Tokens that this process has taken already, and may spend until a time without a question. They belong to a life: one
/// process and one epoch of the bucket in Redis. Tokens of another life are not added to them.
class lease {
 public:
  /// Of this process and of the epoch that it knows. A forked child and a new epoch have another.
  [[nodiscard]] std::uint32_t life() const noexcept { return counted_fork_generation() + epochs_.load_acquire(); }
  [[nodiscard]] std::uint32_t tokens() const noexcept {
    auto const word = word_.load();
    return word >> 32U == life() ? static_cast<std::uint32_t>(word) : 0;
  }
  [[nodiscard]] bool runs_at(time_point now) const noexcept { return now.time_since_epoch().count() < until_.load(); }
  void run_until(time_point end) noexcept { until_.store_release(end.time_since_epoch().count()); }

  /// The life that they were taken from.
  [[nodiscard]] std::optional<std::uint32_t> take(std::uint32_t cost, time_point now) {
    fork_safe_lock const lock{changing_, nothing_to_recover};
    auto const had = tokens();
    if (!runs_at(now) || had < cost) return std::nullopt;
    return keep(had - cost);
  }
  void add(std::uint32_t amount, std::uint32_t to) {
    fork_safe_lock const lock{changing_, nothing_to_recover};
    if (to == life()) keep(smaller(std::uint64_t{tokens()} + amount, std::uint64_t{UINT32_MAX}));
  }
  [[nodiscard]] std::uint32_t take_all() {
    fork_safe_lock const lock{changing_, nothing_to_recover};
    auto const had = tokens();
    keep(0);
    return had;
  }
  /// The epoch is another one: its tokens are gone.
  void begin_an_epoch() {
    fork_safe_lock const lock{changing_, nothing_to_recover};
    epochs_.fetch_add_release(1);
  }

 private:
  std::uint32_t keep(std::uint64_t tokens) noexcept {
    auto const of = life();
    word_.store_release(std::uint64_t{of} << 32U | tokens);
    return of;
  }

  fork_safe_mutex changing_;            // a change is one store: nothing is half done in a forked child
  atomic_cell<std::uint64_t> word_{0};  // 32 bits life | 32 bits tokens, which are read without the lock
  atomic_cell<std::uint32_t> epochs_{0};
  atomic_cell<std::int64_t> until_{INT64_MIN};
};

enum class claim_state : std::uint8_t {
  free,
  waiting,  ///< for the next exchange
  sent,     ///< under way
  dropped,  ///< under way, and its retry is not made any more
  granted,
  refused,
  lost,  ///< the exchange had no answer
};

/// The permits that are asked for: each retry that waits for an answer has a place, from its question until it is
/// settled or released. Retries open, read and close places from any thread; the thread that exchanges with Redis sends
/// and answers them. A lock is held for a look at all places at most.
class claims {
 public:
  static constexpr std::uint32_t places = 256;

  /// A place, from 0; nothing when all are taken.
  [[nodiscard]] std::optional<std::uint32_t> open(std::uint32_t cost) {
    fork_safe_lock const lock{changing_, nothing_to_recover};
    for (std::uint32_t i = 0; i != places; ++i) {
      auto const at = next_++ % places;
      if (all_[at].state != claim_state::free) continue;
      all_[at] = {claim_state::waiting, cost};
      return at;
    }
    return std::nullopt;
  }
  [[nodiscard]] claim_state state(std::uint32_t at) {
    fork_safe_lock const lock{changing_, nothing_to_recover};
    return all_[at].state;
  }
  /// The time of the first question about this place: `now` for the first.
  [[nodiscard]] time_point due(std::uint32_t at, time_point now) {
    fork_safe_lock const lock{changing_, nothing_to_recover};
    if (!all_[at].due) all_[at].due = now;
    return *all_[at].due;
  }

  /// Closes the place of a retry that is made, or not made any more. If tokens were granted for it, the caller now has
  /// them: returns the life of the lease that they are of.
  std::optional<std::uint32_t> close(std::uint32_t at) {
    fork_safe_lock const lock{changing_, nothing_to_recover};
    auto& one = all_[at];
    bool const is_granted = one.state == claim_state::granted;
    bool const is_under_way = one.state == claim_state::sent || one.state == claim_state::dropped;
    one.state = is_under_way ? claim_state::dropped : claim_state::free;
    return is_granted ? std::optional{one.life} : std::nullopt;
  }

  /// Sends all that wait: the tokens that they want.
  [[nodiscard]] std::uint32_t send() {
    fork_safe_lock const lock{changing_, nothing_to_recover};
    std::uint32_t wanted = 0;
    for (auto& one : all_) {
      if (one.state != claim_state::waiting) continue;
      one.state = claim_state::sent;
      wanted += one.cost;
    }
    return wanted;
  }
  /// Answers those under way out of `granted`, which is of that life; returns the rest.
  [[nodiscard]] std::uint32_t answer(std::uint32_t granted, std::uint32_t life) {
    end([&](place& one) {
      one.life = life;
      if (one.cost > granted) return claim_state::refused;
      granted -= one.cost;
      return claim_state::granted;
    });
    return granted;
  }
  void lose() {
    end([](place& /*one*/) { return claim_state::lost; });
  }

 private:
  struct place {
    claim_state state = claim_state::free;
    std::uint32_t cost = 0;
    std::uint32_t life = 0;  ///< of the lease that pays
    std::optional<time_point> due{};
  };
  void end(auto const& as) {
    fork_safe_lock const lock{changing_, nothing_to_recover};
    for (auto& one : all_) {
      if (one.state == claim_state::sent) one.state = as(one);
      if (one.state == claim_state::dropped) one.state = claim_state::free;
    }
  }

  fork_safe_mutex changing_;  // in a forked child a place that was being changed stays taken, at worst
  place all_[places]{};
  std::uint32_t next_ = 0;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
