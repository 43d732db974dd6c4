// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_VERDICT_HPP
#define ANEW_PLAN_VERDICT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "advice.hpp"
#include "fleet.hpp"
#include "scenario.hpp"

namespace anew_plan {

enum class outcome : std::uint8_t {
  recovers,
  recovers_slowly,  // not while it was simulated; but fewer attempts are made than the service answers
  holds_down,
};

/// Seconds within which a half, 99 % and 99.9 % of the calls succeeded; 0 where none did.
struct latencies {
  double p50 = 0;
  double p99 = 0;
  double p999 = 0;
};

/// The same by arithmetic, from two numbers that the strategy showed against a service that never answered.
struct closed_form {
  double retries_in_outage = 0;    // of each client
  double retries_per_call = 0;     // of each call, once the outage has lasted long; infinity: without end
  bool nothing_times_out = false;  // in the outage: the retries do not count
  std::optional<double> recovery_seconds;
  std::optional<double> holds_down_from_load;
};

/// A single change to the strategy, that was simulated too.
struct change {
  std::string what;
  std::string strategy;
  double recovery_seconds = 0;
  double lost_in_health = 0;  // of 100,000 calls, where 2 % of the answers are errors
};

/// Of the capacity. Closer to the load from which on a strategy holds the service down, chance decides.
inline constexpr double margin = 0.04;

struct verdict {
  std::string name;  // of a preset; empty for a text
  std::string strategy;
  std::string promises;
  outcome how = outcome::recovers;             // in the middle of three seeds
  unsigned seeds_that_hold_down = 0;           // of the three
  std::optional<double> recovery_seconds;      // nothing: not while it was simulated
  double load = 0;                             // calls over capacity
  std::optional<double> holds_down_from_load;  // nothing: at no load below 1
  std::uint32_t simulated_clients = 0;
  double amplification = 1;      // attempts that begin in the outage, over the calls that begin in it
  double simulated_seconds = 0;  // after the outage
  double counted_seconds = 0;    // after the outage, in which the next two are counted
  std::uint64_t calls_lost = 0;
  std::uint64_t calls_not_ended = 0;  // when the simulation ended; but for calls of the last ten time-outs
  double lost_in_health = 0;
  latencies before;
  latencies in_outage;
  latencies after;
  std::optional<waits> wait;  // nothing: a call whose attempts all time out does not end
  closed_form by_arithmetic;
  std::vector<change> changes;
  std::vector<std::string> warnings;

  [[nodiscard]] bool holds_down() const noexcept { return how == outcome::holds_down; }
  /// Whether the arithmetic says something else: one of the two misses something.
  [[nodiscard]] bool disagrees() const noexcept;
};

/// The same scenario with as few clients as show the same, on their share of the capacity: a plan takes a second, however
/// large the fleet, and however many attempts the strategy makes.
[[nodiscard]] scenario simulated(std::string const& text, scenario s);

/// Simulates the strategy, the loads from which on it holds the service down, and what to change. `layers` services in a
/// row retry by it, of which the last is simulated. Throws `std::invalid_argument` where the text is no strategy.
[[nodiscard]] verdict plan(std::string const& text, scenario const& s, std::uint32_t layers = 1);

/// The data of a strategy's pictures: the run in the middle of three seeds, with as many clients as were simulated.
struct drawing {
  scenario of;
  observed found;
  struct threshold {
    anew::duration outage;
    std::optional<double> holds_down_from_load;
  };
  std::vector<threshold> map;  // by the length of the outage
};
[[nodiscard]] drawing draw(std::string const& text, scenario const& s);

/// The changes that a verdict proposes for a strategy that holds the service down: each recovered with three seeds that the
/// search did not use.
[[nodiscard]] std::vector<change> changes_for(std::string const& text, scenario const& s);

/// The verdict alone: the seconds to the recovery, in the middle of three seeds; nothing where it holds the service down.
[[nodiscard]] std::optional<double> judge(std::string const& text, scenario const& s);
/// The same with the scenario's seed alone.
[[nodiscard]] std::optional<double> judge_once(std::string const& text, scenario const& s);
/// The least load, to a percent, from which on it holds the service down; nothing when it recovers at every load below the capacity.
[[nodiscard]] std::optional<double> holds_down_from_load(std::string const& text, scenario const& s);

}  // namespace anew_plan

#endif
