// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_FLEET_BUCKET_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_FLEET_BUCKET_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/bridges/redis/internal/claims.hpp"
#include "anew/bridges/redis/internal/link.hpp"
#include "anew/bridges/redis/redis_settings.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/roles/gate.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The permit of a retry: tokens that are paid, or a place in the table of claims.
struct redis_permit {
  static constexpr std::uint16_t of_local_bucket = UINT16_MAX;
  static constexpr std::uint16_t of_nobody = UINT16_MAX - 1;  ///< granted without a limit

  std::uint32_t cost = 0;
  std::uint16_t claim = 0;  ///< 0: paid; the place of the claim, from 1; or one of the above
  std::uint16_t life = 0;   ///< of what paid, lower half: a permit of another process or epoch gives nothing back

  [[nodiscard]] constexpr bool is_asked_for() const noexcept { return claim != 0 && claim < of_nobody; }
  friend constexpr bool operator==(redis_permit, redis_permit) = default;
};

/// One process's part of a bucket that a fleet shares. Every function is a few atomic operations or short locks, and
/// at most one step of the connection, which one thread at a time makes: the others do not wait for it.
template <class Wire>
class fleet_bucket {
 public:
  using answer = admission<redis_permit>;

  fleet_bucket(redis_settings const& by, Wire wire)
      : by_{by},
        local_{of_one_process(by), by.costs, of_one_process(by)},
        link_{std::make_unique<redis_link<Wire>>(by, std::move(wire))},
        generation_{counted_fork_generation()} {}
  fleet_bucket(fleet_bucket const&) = delete;
  fleet_bucket& operator=(fleet_bucket const&) = delete;
  /// Returns what is left, once, without waiting for an answer.
  ~fleet_bucket() {
    if (generation_ != counted_fork_generation() || !link_->is_ready()) return;
    returned_ += lease_.take_all();
    if (returned_ != 0 || earned_.load() != 0) link_->ask({earned_.load(), 0, returned_, epoch_}, time_point{});
  }

  [[nodiscard]] std::optional<redis_permit> try_acquire(failure const& what, time_point now) {
    auto const cost = by_.costs.of(what.kind);
    if (cost == 0) return redis_permit{};
    if (auto const life = lease_.take(cost, now)) {
      if (lease_.tokens() < by_.lease / 2 && now >= empty_until()) {
        is_low_.store_release(1);
        step(now);
      }
      return redis_permit{cost, 0, lower(*life)};
    }
    if (is_away()) step(now);
    if (is_away()) return instead(what);
    if (now < empty_until()) return std::nullopt;
    is_low_.store_release(1);
    auto const place = claims_.open(cost);
    step(now);
    if (place) return redis_permit{cost, lower(*place + 1), 0};
    overflows_.fetch_add(1);
    return std::nullopt;
  }

  [[nodiscard]] answer settle(redis_permit held, time_point now) {
    if (!held.is_asked_for()) {
      if (is_away()) step(now);
      return answer::admit(held);
    }
    auto const place = held.claim - 1U;
    auto state = claims_.state(place);
    if (state == claim_state::waiting || state == claim_state::sent) {
      step(now);
      state = claims_.state(place);
    }
    if (state == claim_state::granted) {
      auto const life = claims_.close(place);
      return life ? answer::admit({held.cost, 0, lower(*life)}) : answer::refuse();
    }
    if (state == claim_state::refused) return answer::refuse();
    if (state != claim_state::lost && !is_away()) {
      auto const waited = larger(saturating_subtract(now, claims_.due(place, now)), duration::zero());
      if (waited < by_.patience) {
        return answer::ask_again_in(smaller(larger(waited, first_wait), saturating_subtract(by_.patience, waited)));
      }
      is_late_.store_release(1);
    }
    if (by_.away == when_redis_is_away::refuse) return answer::refuse();
    auto const other = instead(held.cost);
    if (!other) return answer::refuse();
    drop(held);
    return answer::admit(*other);
  }

  void on_success(redis_permit held) {
    std::uint32_t amount = 1;
    if (held.claim == redis_permit::of_local_bucket) {
      local_.on_success(is_of_this_process(held) ? held.cost : 0);
    } else if (held.is_asked_for()) {
      drop(held);
    } else {
      if (held.claim == 0 && held.cost != 0 && held.life == lower(lease_.life())) amount = held.cost;
      if (by_.away == when_redis_is_away::share) local_.on_success(0);
    }
    if (earned_.load() < by_.capacity) earned_.fetch_add(amount);
  }
  void release(redis_permit held) {
    if (held.claim == redis_permit::of_local_bucket) {
      if (is_of_this_process(held)) local_.release(held.cost);
    } else if (held.is_asked_for()) {
      drop(held);
    } else if (auto const life = lease_.life(); held.claim == 0 && held.life == lower(life)) {
      lease_.add(held.cost, life);
    }
  }

  [[nodiscard]] bool has_a_batch() const noexcept { return earned_.load() >= by_.batch; }
  /// True if a call has something to do here that needs the time: a batch, an exchange under way, a connection to make
  /// again, or a lease that may have ended.
  [[nodiscard]] bool needs_time() const noexcept {
    return has_a_batch() || is_unfinished_.load() != 0 || lease_.tokens() != 0;
  }
  /// Does it. Looks at most once a millisecond.
  void hand_over(time_point now) {
    if (!has_a_batch() && is_unfinished_.load() == 0 && (lease_.tokens() == 0 || lease_.runs_at(now))) return;
    if (now.time_since_epoch().count() < look_at_.load()) return;
    look_at_.store_release(saturating_add(now, duration{1'000'000}).time_since_epoch().count());
    step(now);
  }

  [[nodiscard]] bool is_away() const noexcept { return is_away_.load() != 0; }
  [[nodiscard]] bool is_late() const noexcept { return is_late_.load() != 0; }
  [[nodiscard]] std::uint32_t leased() const noexcept { return lease_.tokens(); }
  [[nodiscard]] std::uint64_t exchanges() const noexcept { return exchanges_.load(); }
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_.load(); }
  [[nodiscard]] std::uint64_t overflows() const noexcept { return overflows_.load(); }
  [[nodiscard]] redis_settings const& settings() const noexcept { return by_; }
  [[nodiscard]] std::string last_error() {
    fork_safe_lock const lock{io_, noted()};
    return link_->last_error();
  }

 private:
  static constexpr duration first_wait{200'000};

  /// For the lock: the thread that had it stayed behind in the parent.
  [[nodiscard]] auto noted() noexcept {
    return [this] { is_broken_ = true; };
  }
  static std::uint16_t lower(std::uint32_t number) noexcept { return static_cast<std::uint16_t>(number); }
  /// For a permit of the local bucket, which has no epochs.
  static bool is_of_this_process(redis_permit held) noexcept { return held.life == lower(counted_fork_generation()); }
  static std::uint32_t of_one_process(redis_settings const& by) noexcept {
    return by.away == when_redis_is_away::share ? by.capacity / by.processes : 0;
  }
  [[nodiscard]] time_point empty_until() const noexcept { return time_point{duration{empty_until_.load()}}; }

  [[nodiscard]] std::optional<redis_permit> instead(failure const& what) { return instead(by_.costs.of(what.kind)); }
  [[nodiscard]] std::optional<redis_permit> instead(std::uint32_t cost) {
    if (by_.away == when_redis_is_away::grant) return redis_permit{cost, redis_permit::of_nobody, 0};
    if (by_.away == when_redis_is_away::share) {
      failure any{};
      for (auto const kind : every_kind) {
        if (by_.costs.of(kind) == cost) any.kind = kind;
      }
      if (local_.try_acquire(any)) {
        return redis_permit{cost, redis_permit::of_local_bucket, lower(counted_fork_generation())};
      }
    }
    return std::nullopt;
  }

  void drop(redis_permit held) {
    if (auto const life = claims_.close(held.claim - 1U)) lease_.add(held.cost, *life);
  }

  /// The connection's step, made by one thread at a time.
  void step(time_point now) {
    if (!io_.try_lock(noted())) return;
    fork_safe_lock const lock{io_, already_locked{}};
    if (auto const generation = counted_fork_generation(); generation != generation_) begin_in_a_child(generation);
    redis_answer came;
    switch (link_->step(now, came)) {
      case exchange::answered: take(came, now); break;
      case exchange::lost: lose(); break;
      case exchange::none: break;
    }
    if (!lease_.runs_at(now)) returned_ = saturated(std::uint64_t{returned_} + lease_.take_all());
    if (link_->is_ready()) link_->failures() == 0 ? ask(now) : probe(now);
    is_away_.store_release(link_->failures() != 0 ? 1 : 0);
    is_unfinished_.store_release(is_away() || link_->is_under_way() || returned_ != 0 ? 1 : 0);
    if (!is_away()) return;
    static_cast<void>(claims_.send());
    claims_.lose();
  }

  /// A greeting that was answered does not show that questions are: Redis may be out of memory, or a replica. The first
  /// one after a failure hands nothing over and takes nothing, so nothing is lost with it.
  void probe(time_point now) {
    wanted_ = 0;
    asked_at_ = now;
    exchanges_.fetch_add(1);
    link_->ask({0, 0, 0, epoch_}, now);
  }

  void ask(time_point now) {
    auto const claimed = claims_.send();
    if (claimed == 0 && is_low_.load() == 0 && returned_ == 0 && !has_a_batch()) return;
    bool const wants_lease = is_low_.load() != 0 && now >= empty_until();
    auto const has = lease_.tokens();
    wanted_ = saturated(std::uint64_t{claimed} + (wants_lease && has < by_.lease ? by_.lease - has : 0));
    is_low_.store_release(0);
    asked_at_ = now;
    exchanges_.fetch_add(1);
    auto earned = earned_.load();
    while (!earned_.compare_exchange_weak(earned, 0)) continue;
    link_->ask({earned, wanted_, std::exchange(returned_, 0), epoch_}, now);
  }

  void take(redis_answer const& came, time_point now) {
    is_late_.store_release(0);
    if (came.epoch != std::exchange(epoch_, came.epoch)) {
      lease_.begin_an_epoch();  // its tokens are of a bucket that is gone
      returned_ = 0;
    }
    if (came.granted < wanted_) {
      empty_until_.store_release(saturating_add(now, by_.empty_for).time_since_epoch().count());
    }
    if (auto const rest = claims_.answer(smaller(came.granted, wanted_), lease_.life()); rest != 0) {
      lease_.run_until(saturating_add(asked_at_, by_.lease_for));
      lease_.add(rest, lease_.life());
    }
  }

  /// The exchange is not repeated: what it handed over is lost, and what it took stays taken.
  void lose() {
    lost_.fetch_add(1);
    claims_.lose();
  }

  /// The connection, the lease and what was earned are the parent's.
  void begin_in_a_child(std::uint32_t generation) {
    generation_ = generation;
    auto fresh = std::make_unique<redis_link<Wire>>(by_, link_->leave());
    if (is_broken_) static_cast<void>(link_.release());  // half changed: it cannot be destroyed
    link_ = std::move(fresh);
    claims_.lose();
    returned_ = 0;
    epoch_ = 0;
    earned_.store_release(0);
  }

  static std::uint32_t saturated(std::uint64_t number) noexcept {
    return static_cast<std::uint32_t>(smaller(number, std::uint64_t{UINT32_MAX}));
  }

  redis_settings const by_;
  token_bucket<run_time_count> local_;
  claims claims_;
  lease lease_;
  atomic_cell<std::uint32_t> earned_{0};
  atomic_cell<std::uint32_t> is_low_{0};
  atomic_cell<std::uint32_t> is_away_{0};
  atomic_cell<std::uint32_t> is_late_{0};
  atomic_cell<std::uint32_t> is_unfinished_{0};
  atomic_cell<std::int64_t> empty_until_{INT64_MIN};
  atomic_cell<std::int64_t> look_at_{INT64_MIN};
  atomic_cell<std::uint64_t> exchanges_{0};
  atomic_cell<std::uint64_t> lost_{0};
  atomic_cell<std::uint64_t> overflows_{0};

  fork_safe_mutex io_;
  bool is_broken_ = false;
  std::unique_ptr<redis_link<Wire>> link_;
  time_point asked_at_{};
  std::uint64_t epoch_ = 0;
  std::uint32_t wanted_ = 0;
  std::uint32_t returned_ = 0;
  std::uint32_t generation_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
