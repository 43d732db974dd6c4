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

  /// A full count is halved, and so is the other one of its tenth: their ratio stays. A request that is late by a whole
  /// window is not counted, because its slot has a newer tenth.
  void add(request ended, tenth_number at) const noexcept {
    auto& ring = ended == request::accepted ? accepted_ : rejected_;
    auto& other = ended == request::accepted ? rejected_ : accepted_;
    if (ring.add_or_halve(at, Most)) other.halve(at);
  }

  /// Of the window that ends at `at`, or, when another thread's clock is ahead, at the newest tenth that was counted.
  [[nodiscard]] counts sum(tenth_number at) const noexcept {
    tenths_ring::snapshot const accepted{accepted_};
    tenths_ring::snapshot const rejected{rejected_};
    auto const newest = detail::larger(at, detail::larger(accepted.newest(), rejected.newest()));
    return {static_cast<std::uint64_t>(accepted.sum(newest)), static_cast<std::uint64_t>(rejected.sum(newest))};
  }

  /// True when `holds(counts)` of each tenth that a window may still contain, whatever the time is.
  template <class Holds>
  [[nodiscard]] bool holds_in_each_tenth(Holds const& holds) const noexcept {
    using of = counted_tenth;
    for (unsigned i = 0; i != tenths_ring::size; ++i) {
      auto const rejected = rejected_.word_at(i);
      if (of::count_of(rejected) == 0) continue;
      auto const accepted = accepted_.word_at(i);
      if (of::number_of(accepted) > of::number_of(rejected)) continue;  // newer by a whole window
      bool const is_same = of::number_of(accepted) == of::number_of(rejected);
      if (!holds(counts{is_same ? of::count_of(accepted) : 0, of::count_of(rejected)})) return false;
    }
    return true;
  }

 private:
  friend kept_state<acceptance_window>;
  mutable tenths_ring accepted_;
  mutable tenths_ring rejected_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
