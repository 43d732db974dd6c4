// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_DRIVER_SUPPORT_HPP
#define ANEW_TESTS_SUPPORT_DRIVER_SUPPORT_HPP

#include <atomic>
#include <utility>

#include "anew/roles/sleeper.hpp"
#include "anew/testing/audited_quota.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recorder.hpp"

#include "pinned.hpp"

/// What the tests of the driver are made of beside the kit: results that are counted, and a stop token of another type
/// than the standard's.
namespace support {

using anew::testing::advancing_sleeper, anew::testing::audited_quota, anew::testing::recorder,
    anew::testing::recording_sleeper;

/// A stop token of a user's own, by shape. It counts how often it is asked and who is registered to be woken.
struct flag_stop {
  struct state {
    std::atomic<bool> requested{false};
    std::atomic<int> registered{0};
    std::atomic<int> ever_registered{0};
    bool possible = true;
  };
  explicit flag_stop(state& of) noexcept : state_{&of} {}

  [[nodiscard]] bool stop_requested() const noexcept { return state_->requested.load(); }
  [[nodiscard]] bool stop_possible() const noexcept { return state_->possible; }

  /// What a sleeper holds while it may be woken.
  struct registration : public pinned {
    explicit registration(flag_stop const& of) noexcept : state_{of.state_} {
      ++state_->registered;
      ++state_->ever_registered;
    }
    ~registration() { --state_->registered; }

   private:
    state* state_;
  };

 private:
  state* state_;
};
static_assert(anew::StopToken<flag_stop>);

/// A live object, counted. Moves and copies are counted too.
struct tracked {
  static inline int alive = 0;
  static inline int copies = 0;
  static inline int moves = 0;
  static void reset() noexcept { alive = copies = moves = 0; }

  int value = 0;

  explicit tracked(int v) noexcept : value{v} { ++alive; }
  tracked(tracked const& other) noexcept : value{other.value} {
    ++alive;
    ++copies;
  }
  tracked(tracked&& other) noexcept : value{std::exchange(other.value, -1)} {
    ++alive;
    ++moves;
  }
  tracked& operator=(tracked const&) = default;
  tracked& operator=(tracked&&) = default;
  ~tracked() { --alive; }
};

}  // namespace support

#endif
