// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_DEPTH_HPP
#define ANEW_TESTS_SUPPORT_DEPTH_HPP

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/random_source.hpp"

#include "pinned.hpp"

/// What the laws in depth have in common: where they are, how many steps a function may take, and how time goes on.
namespace support {

/// What a law does at the moment, to be printed where it cannot be asked any more.
struct whereabouts {
  char const* what = "nothing";
  std::uint64_t seed = 0;
  std::uint64_t operation = 0;
  std::int64_t now = 0;
};
inline thread_local whereabouts here;

inline std::string told() {
  return std::string{here.what} + ", seed " + std::to_string(here.seed) + ", operation " +
         std::to_string(here.operation) + ", " + std::to_string(here.now) + " ns after the clock's epoch";
}

/// No function of a policy makes more steps than these without another thread's progress.
inline unsigned most_steps = 64;  // a test of stripes, which are read each time, allows more
inline thread_local unsigned most_steps_seen = 0;

/// Calls a function of a policy. One that makes more than `most_steps` ends the program: nothing else ends a loop.
auto bounded(char const* what, anew::time_point now, auto const& function) {
  here.what = what;
  here.now = now.time_since_epoch().count();
  ++here.operation;
  auto& steps = anew::detail::steps_of_this_thread;
  steps.left = most_steps;
  steps.made = 0;
  steps.exhausted = [] {
    std::fprintf(stderr, "[  FAILED  ] more than %u steps, and no other thread: %s\n", most_steps, told().c_str());
    std::_Exit(1);
  };
  struct restore : pinned {
    ~restore() {
      auto& counted = anew::detail::steps_of_this_thread;
      counted.left = ~0U;
      most_steps_seen = std::max(most_steps_seen, counted.made);
    }
  } const at_the_end{};
  return function();
}

inline constexpr std::int64_t a_year = std::int64_t{365} * 86'400 * 1'000'000'000;

/// Time as it goes on for a policy that counts in units: from anywhere in 64 bits, in bursts, in rows of equal pauses of
/// many idle units, by pauses from nothing to a year, and by pauses of 2^k units and a few more, after which a number of
/// k bits would be the same again.
struct deep_time {
  deep_time(std::uint64_t seed, std::int64_t unit, std::int64_t most_late)
      : dice_{seed, 77}, unit_{unit}, most_late_{most_late}, newest_{start()} {}

  /// The time of the next operation: now and then the stamp of a thread whose clock is behind.
  anew::time_point next() {
    if (left_ == 0) begin_row();
    --left_;
    go_on(pace_);
    auto const roll = dice_();
    if (roll % 64 == 0) go_on(any_pause());
    if (roll % 64 == 1) go_on(aligned_pause());
    if (roll % 8 == 2) go_on(static_cast<std::int64_t>(dice_() % static_cast<std::uint64_t>(unit_)));
    if (roll % 16 == 3 && most_late_ != 0) return at(behind(below(most_late_)));
    return at(newest_);
  }
  [[nodiscard]] anew::time_point newest() const { return at(newest_); }
  /// Time has ended: another one must begin.
  [[nodiscard]] bool is_over() const { return newest_ == std::numeric_limits<std::int64_t>::max(); }
  /// How many units of ten, that is windows, went by; a pause is one, however long.
  [[nodiscard]] std::uint64_t pauses() const { return pauses_; }
  [[nodiscard]] unsigned most_idle_in_a_row() const { return most_idle_; }
  std::uint64_t roll() { return dice_(); }
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(dice_() % static_cast<std::uint64_t>(bound));
  }

  std::int64_t any_pause() {
    auto const shortest = std::int64_t{1} << below(55);
    return std::min(shortest + below(shortest), a_year) - 1;
  }

 private:
  static anew::time_point at(std::int64_t ticks) { return anew::time_point{anew::duration{ticks}}; }

  /// Mostly anywhere; now and then near the epoch, at either end, or where a number of some bits begins again.
  std::int64_t start() {
    auto const anywhere = static_cast<std::int64_t>(dice_());
    switch (dice_() % 8) {
      case 0: return anywhere % (100 * unit_);
      case 1: return std::numeric_limits<std::int64_t>::min() + below(100 * unit_);
      case 2: return std::numeric_limits<std::int64_t>::max() - 100 * a_year + below(100 * a_year);
      case 3: {
        auto const edge = std::int64_t{1} << below(62);
        return edge / unit_ * unit_ - below(20) * unit_;
      }
      default: return anywhere;
    }
  }
  void begin_row() {
    auto const roll = dice_();
    left_ = 1 + (roll >> 8U) % 200;
    switch (roll % 4) {
      case 0: pace_ = 0; break;                                       // a burst
      case 1: pace_ = below(2 * unit_); break;                        // busy
      case 2: pace_ = (5 + below(20)) * unit_ + below(unit_); break;  // the window is idle each time
      default: pace_ = any_pause(); left_ = 1 + left_ % 40;
    }
    if (pace_ > 10 * unit_) most_idle_ = std::max(most_idle_, static_cast<unsigned>(left_));
  }
  std::int64_t aligned_pause() {
    int bits = 1;
    while (bits < 62 && (a_year >> bits) > unit_) ++bits;
    return (std::int64_t{1} << below(bits)) * unit_ + (below(25) - 12) * unit_ / 4;
  }
  void go_on(std::int64_t by) {
    if (by <= 0) return;
    if (by > 10 * unit_) ++pauses_;
    auto const most = std::numeric_limits<std::int64_t>::max();
    newest_ = newest_ > most - by ? most : newest_ + by;
  }
  std::int64_t behind(std::int64_t by) const {
    auto const least = std::numeric_limits<std::int64_t>::min();
    return newest_ < least + by ? least : newest_ - by;
  }

  anew::generator dice_;
  std::int64_t unit_, most_late_, newest_, pace_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t pauses_ = 0;
  unsigned most_idle_ = 0;
};

/// What a law in depth went through.
struct totals {
  std::uint64_t operations = 0;
  std::uint64_t grants = 0;  ///< or changes of state
  std::uint64_t pauses = 0;  ///< longer than the window
  unsigned idle_in_a_row = 0;

  void add(deep_time const& time) {
    pauses += time.pauses();
    idle_in_a_row = std::max(idle_in_a_row, time.most_idle_in_a_row());
  }
  /// That it was enough. Where time matters, that there were pauses of all kinds.
  void report(std::uint64_t least, bool with_pauses = true) const {
    std::printf("%lu operations, %lu grants or changes, %lu pauses, %u idle windows in a row, at most %u steps\n",
                operations, grants, pauses, idle_in_a_row, most_steps_seen);
    EXPECT_GT(operations, least);
    if (!with_pauses) return;
    EXPECT_GT(pauses, 100'000U);
    EXPECT_GE(idle_in_a_row, 32U);
  }
};

/// The number of the interval of that length which a time is in, rounded down.
inline std::int64_t interval_of(anew::time_point t, std::int64_t length) {
  auto const ticks = t.time_since_epoch().count();
  auto const towards_zero = ticks / length;
  return towards_zero * length > ticks ? towards_zero - 1 : towards_zero;
}

}  // namespace support

#endif
