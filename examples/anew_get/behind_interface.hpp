// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_BEHIND_INTERFACE_HPP
#define ANEW_GET_BEHIND_INTERFACE_HPP

#include <cstdint>
#include <memory>
#include <utility>

#include "anew/bounds/bounds_of.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"

#include "fetch_result.hpp"
#include "made_strategy.hpp"

namespace anew_get {

/// The rate that a pacer permits, in a second; 0 without a limit. A choice permits what the chosen pacer does.
template <class Pacer>
double rate_of(Pacer const& pacer) {
  if constexpr (requires { pacer.index(); }) {
    return pacer.visit([](auto const& chosen) { return rate_of(chosen); });
  } else if constexpr (requires { pacer.fill_rate(); }) {
    return pacer.is_enabled() ? pacer.fill_rate() : 0.0;
  } else {
    return 0.0;
  }
}

/// Behind the virtual interface, with ways to look at what it is made of.
template <class Strategy>
made_strategy behind_interface(Strategy strategy, bool is_of_aws) {
  made_strategy all;
  all.promised = anew::bounds(strategy);
  auto made = std::make_unique<anew::virtual_strategy<Strategy, fetch_error>>(std::move(strategy));
  all.quota = [at = made.get()] { return state_of(at->strategy().quota()); };
  if constexpr (Strategy::has_pacer) {
    all.rate = [at = made.get()] { return rate_of(at->strategy().pacer()); };
  }
  if constexpr (requires { made->strategy().max_attempts().value(); }) {
    all.max_attempts = static_cast<std::uint32_t>(made->strategy().max_attempts().value());
  }
  all.is_of_aws = is_of_aws;
  all.strategy = std::move(made);
  return all;
}

}  // namespace anew_get

#endif
