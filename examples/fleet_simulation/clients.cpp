// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <string>
#include <vector>

#include "clients.hpp"

namespace fleet_simulation {

observed simulate(std::string const& text, world const& w, event_log* log,
                  fleet<strategy_type, hedging_type>::level_of level) {
  virtual_clock::ticks = 0;  // gates and budgets begin now
  std::vector<strategy_type> strategies;
  auto const add = [&strategies](std::string const& one, std::uint32_t times) {
    for (std::uint32_t i = 0; i != times; ++i) strategies.push_back(read_client(one).value());
  };
  add(text, w.strategies);
  for (auto const& one : w.layers) add(one.strategy, one.processes);
  std::vector<hedging_type> hedges;
  for (std::uint32_t i = 0; !w.hedging.empty() && i != w.strategies; ++i) {
    hedges.emplace_back(read_hedging(w.hedging).value());
  }
  return fleet<strategy_type, hedging_type>{strategies, w, log, hedges.empty() ? nullptr : &hedges}.run(level);
}

}  // namespace fleet_simulation
