// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_SCENARIO_HPP
#define ANEW_PLAN_SCENARIO_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "anew/base/duration.hpp"

#include "instant.hpp"
#include "world.hpp"

namespace anew_plan {

using namespace fleet_simulation;

/// The fate of the attempts that a service cannot answer in an outage.
enum class outage_mode : std::uint8_t {
  slow,     // they wait in its queue
  refuses,  // it refuses them at once
  drops,    // it never answers them, and does not work on them
};

/// A service with one queue, the clients that call it, and an outage. A client gives up on an attempt after the time-out;
/// the service does not notice, and works on it all the same.
struct scenario {
  std::uint32_t clients = 100;
  double rate = 7;          // calls a second of each client
  double capacity = 1'000;  // attempts a second that the service answers
  anew::duration timeout = std::chrono::seconds{1};
  anew::duration latency{};  // of the network, there and back

  anew::duration outage = std::chrono::seconds{10};
  double remaining = 0.1;  // of the capacity, in the outage
  outage_mode mode = outage_mode::slow;
  double failure_rate = 0;  // of answers that are errors, at any time

  anew::duration before = std::chrono::seconds{5};  // the outage
  anew::duration after = std::chrono::seconds{120};
  std::uint64_t seed = 1;

  /// The share of the capacity that the calls take.
  [[nodiscard]] double load() const noexcept { return clients * rate / capacity; }

  /// The world that is simulated has three phases.
  operator world() const {  // NOLINT(*-explicit-*): a scenario is a world
    world w;
    w.strategies = clients;
    w.timeout = timeout;
    w.seed = seed;
    w.most_calls = static_cast<std::size_t>(capacity * (20 + seconds_of(outage.count())));
    w.most_events = 1'000'000 + static_cast<std::uint64_t>(  // 40 a call: twenty attempts of each
                                    40 * clients * rate * seconds_of((before + outage + after).count()));
    phase healthy;
    healthy.rate = healthy.rate_at_end = clients * rate;
    healthy.capacity = capacity;
    healthy.latency = latency;
    healthy.failure_rate = failure_rate;
    auto ill = healthy;
    if (mode == outage_mode::slow) {
      ill.capacity *= remaining;
    } else {
      ill.admitted = capacity * remaining;
      ill.admitted_at_once = 0.1 * capacity;  // a tenth of a second's worth
      ill.others = mode == outage_mode::refuses ? turned_away::refused : turned_away::dropped;
    }
    healthy.lasts = before;
    ill.lasts = outage;
    w.phases = {healthy, ill, healthy};
    w.phases.back().lasts = after;
    return w;
  }
};

}  // namespace anew_plan

#endif
