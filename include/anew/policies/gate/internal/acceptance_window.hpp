// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_INTERNAL_ACCEPTANCE_WINDOW_HPP
#define ANEW_POLICIES_GATE_INTERNAL_ACCEPTANCE_WINDOW_HPP

#include <chrono>
#include <cstdint>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Counts the requests of a window of time by tenths, in two rings: one for accepted requests and one for rejected ones.
/// `Most` is the largest count of a tenth.
template <std::uint64_t Most = counted_tenth::most>
class acceptance_window {
 public:
  enum class request : unsigned char { accepted, rejected };
  struct counts {
    std::uint64_t accepted = 0;
    std::uint64_t rejected = 0;
  };

  static constexpr duration shortest{std::chrono::seconds{1}};
  static constexpr duration longest{std::chrono::hours{1}};

  constexpr acceptance_window() noexcept = default;

  [[nodiscard]] static constexpr tenth_number number_at(time_point now, duration length) noexcept {
    return counted_tenth::number_at(now, length.count() / tenths_ring::window);
  }

  /// The accepted requests, which may be counted elsewhere: they are what the functions below are told.
  [[nodiscard]] tenths_ring& accepted() const noexcept { return accepted_; }

  /// A full count is halved, and so is the other one of its tenth: their ratio stays. A request that is late by a whole
  /// window is not counted, because its slot has a newer tenth.
  void add(auto&& accepted, request ended, tenth_number at) const noexcept {
    if (ended == request::accepted) {
      if (accepted.add_or_halve(at, Most)) rejected_.halve(at);
    } else if (rejected_.add_or_halve(at, Most)) {
      accepted.halve(at);
    }
  }

  /// Of the window that ends at `at`, or, when another thread's clock is ahead, at the newest tenth that was counted.
  template <class Accepted>
  [[nodiscard]] counts sum(Accepted const& all_accepted, tenth_number at) const noexcept {
    typename Accepted::snapshot const accepted{all_accepted};
    tenths_ring::snapshot const rejected{rejected_};
    auto const newest = detail::larger(at, detail::larger(accepted.newest(), rejected.newest()));
    return {static_cast<std::uint64_t>(accepted.sum(newest)), static_cast<std::uint64_t>(rejected.sum(newest))};
  }

  /// True when `holds(counts)` of each tenth that a window may still contain, whatever the time is.
  [[nodiscard]] bool holds_in_each_tenth(auto const& accepted, auto const& holds) const noexcept {
    using of = counted_tenth;
    for (unsigned i = 0; i != tenths_ring::size; ++i) {
      auto const rejected = rejected_.word_at(i);
      if (of::count_of(rejected) == 0) continue;
      auto const at = of::number_of(rejected);
      if (accepted.is_past(at)) continue;
      if (!holds(counts{static_cast<std::uint64_t>(accepted.count_of(at)), of::count_of(rejected)})) return false;
    }
    return true;
  }

  /// Reads or writes the state.
  template <class Accepted>
  void walk_state(auto& w, Accepted& accepted, tenth_number now) const {
    auto const last = larger(typename Accepted::snapshot{accepted}.newest(), tenths_ring::snapshot{rejected_}.newest());
    auto const newest = w.newest(last, now, tenths_ring::window);
    accepted.walk_state(w, newest);
    rejected_.walk_state(w, newest);
  }

 private:
  mutable tenths_ring accepted_;
  mutable tenths_ring rejected_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
