// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_EVENT_LOG_HPP
#define FLEET_SIMULATION_EVENT_LOG_HPP

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

#include "instant.hpp"

namespace fleet_simulation {

/// The events of a simulation, as a checksum: the same seed gives the same, whichever compiler built
/// the program.
class event_log {
 public:
  enum class what : std::uint8_t { call, attempt, answer, end, phase, cancel };
  struct event {
    instant at;
    what of;
    std::uint32_t who;   // a client, or a process of a layer
    std::uint32_t more;  // attempt: the layer; answer: how; end: the stop_reason
  };

  event_log() = default;
  /// Calls `see` with each event.
  explicit event_log(std::function<void(event const&)> see) : see_{std::move(see)} {}

  void add(event const& one) {
    auto const mix = [this](std::uint64_t value) { checksum_ = (checksum_ ^ value) * 1'099'511'628'211U; };  // FNV-1a
    mix(static_cast<std::uint64_t>(one.at));
    mix(std::uint64_t{one.who} << 32U | one.more);
    mix(static_cast<std::uint64_t>(one.of));
    if (see_) see_(one);
    present_.store(one.at, std::memory_order_relaxed);
  }
  /// The time of the last event. Another thread may ask.
  [[nodiscard]] instant present() const noexcept { return present_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t checksum() const noexcept { return checksum_; }

 private:
  std::function<void(event const&)> see_;
  std::atomic<instant> present_{0};
  std::uint64_t checksum_ = 14'695'981'039'346'656'037U;
};

}  // namespace fleet_simulation

#endif
