// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_WORLD_HPP
#define FLEET_SIMULATION_WORLD_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "anew/base/duration.hpp"

namespace fleet_simulation {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The fate of an attempt that a service does not admit.
enum class turned_away : std::uint8_t {
  refused,    // it fails at once
  throttled,  // it fails at once, as throttled, with a hint where the service gives one
  dropped,    // it is never answered, and costs the service nothing
};

/// The calls and the service for some time.
struct phase {
  anew::duration lasts{};

  double rate = 0;          // calls a second of all clients, when it begins;
  double rate_at_end = 0;   // it changes in a straight line
  std::uint32_t burst = 0;  // calls at its beginning, at once

  double capacity = unlimited;  // attempts a second that the queue answers
  double admitted = unlimited;  // attempts a second that come to the queue,
  double admitted_at_once = 0;  // and how many of them may come together
  turned_away others = turned_away::refused;
  std::optional<anew::duration> hint;  // to those that are throttled
  anew::duration latency{};            // of the network, there and back
  double failure_rate = 0;             // of answers that are errors
  double slow_share = 0;               // of answers that
  anew::duration slow_by{};            // come later by this time
  bool drops_cancelled = false;        // an attempt that its client gives up on leaves the queue, if it waits there

  double drops = 0;               // at its beginning: of the attempts under way, those whose connections break
  double cold_capacity = 1;       // at its beginning: the share of the capacity that a cold cache leaves,
  double answers_until_warm = 0;  // and the answers that fill the cache; 0: it is not cold
};

/// A service between the clients and the one behind it: for each attempt it makes a call of its own.
struct layer {
  std::uint32_t processes = 1;
  std::string strategy;  // its text
  anew::duration timeout{};
};

/// A service with one queue, and its clients. A client gives up on an attempt after the time-out; the service does not notice,
/// and works on it all the same.
struct world {
  std::uint32_t strategies = 1;  // of the clients: those that share a quota, a gate and a pacer have one
  anew::duration timeout{};
  std::string hedging;        // its text: of the clients' calls; empty: they are not hedged
  std::uint32_t workers = 0;  // that make a call after the other; 0: calls arrive at the phases' rates
  anew::duration think{};     // the mean of the time between two calls of a worker, which is exponential
  std::vector<layer> layers;  // from the clients to the service
  std::vector<phase> phases;
  std::vector<anew::duration> periods;  // the beginnings of what is counted apart; empty: the phases'
  std::uint64_t seed = 1;
  std::size_t most_calls = 0;     // under way, of more the simulation has collapsed;
  std::uint64_t most_events = 0;  // so it has after more than these

  /// 0: of the clients; n: of layer n. The last is that of the attempts which come to the service.
  [[nodiscard]] anew::duration timeout_of(std::size_t n) const { return n == 0 ? timeout : layers[n - 1].timeout; }
};

}  // namespace fleet_simulation

#endif
