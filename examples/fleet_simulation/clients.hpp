// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_CLIENTS_HPP
#define FLEET_SIMULATION_CLIENTS_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "anew/base/duration.hpp"
#include "anew/drivers/hedge/hedging.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/text/read_policy.hpp"
#include "anew/text/read_strategy.hpp"
#include "anew/text/words/hedge.hpp"

#include "event_log.hpp"
#include "fleet.hpp"
#include "observed.hpp"
#include "virtual_time.hpp"
#include "world.hpp"

namespace fleet_simulation {

using vocabulary = anew::join_words<anew::core_words, anew::pacer_words>;
using strategy_type = anew::strategy_of_words<vocabulary, anew::retry_info_classifier, virtual_clock, virtual_random>;

/// Reads a strategy whose time and random numbers are the simulation's.
[[nodiscard]] inline anew::strategy_reading<strategy_type> read_client(std::string_view text) {
  return anew::read_strategy<vocabulary>(text, anew::retry_info_classifier{}, virtual_clock{}, virtual_random{});
}

/// A hedging whose kind the text chooses.
class hedging_type {
 public:
  using policy_type = std::variant<anew::words::hedge_after::policy_type, anew::words::hedge_at_quantile::policy_type>;
  static constexpr std::int64_t most_extra = anew::detail::most_extra_attempts;

  explicit hedging_type(policy_type policy) : policy_{std::move(policy)} {}

  [[nodiscard]] anew::duration delay() const {
    return std::visit([](auto const& one) { return one.delay(); }, policy_);
  }
  [[nodiscard]] std::uint32_t max_extra() const {
    return std::visit([](auto const& one) { return one.max_extra(); }, policy_);
  }
  [[nodiscard]] anew::when_pushed_back pushback() const {
    return std::visit([](auto const& one) { return one.pushback(); }, policy_);
  }
  void on_answer(anew::duration took) const {
    if (auto const* const learns = std::get_if<1>(&policy_)) learns->on_answer(took);
  }
  void on_late() const {
    if (auto const* const learns = std::get_if<1>(&policy_)) learns->on_late();
  }

 private:
  policy_type policy_;
};
[[nodiscard]] inline anew::strategy_reading<hedging_type::policy_type> read_hedging(std::string_view text) {
  return anew::read_policy<anew::words::hedge_after, anew::words::hedge_at_quantile>(text);
}

/// Simulates clients with that strategy, and the layers with theirs.
///
/// Requires: texts that `read_client()` and `read_hedging()` accept
[[nodiscard]] observed simulate(std::string const& text, world const& w, event_log* log = nullptr,
                                fleet<strategy_type, hedging_type>::level_of level = nullptr);

}  // namespace fleet_simulation

#endif
