// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_JSON_STRATEGY_FROM_JSON_HPP
#define ANEW_TEXT_JSON_STRATEGY_FROM_JSON_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "anew/base/platform/compiler.hpp"
#include "anew/bounds/limits.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/strategy/for_each_policy.hpp"
#include "anew/text/internal/strategy_reader.hpp"
#include "anew/text/read_strategy.hpp"
#include "anew/text/read_strategy_within.hpp"
#include "anew/text/strategy_reading.hpp"
#include "anew/text/word.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class... Lists, class Json, class Check, class... Given>
auto read_json(Json const& object, Check const& check, Given... given) {
  using words = words_or<core_words, Lists...>;
  using reader = reader_of<words, Given...>;
  using reading = strategy_reading<typename reader::strategy_type>;
  if (!object.is_object())
    return reading{text_fault{0, 0, "a strategy must be a JSON object with a member for each role"}};
  std::vector<std::pair<std::string_view, std::string_view>> members;
  for (auto const& [role, value] : object.items()) {
    if (!is_role_name(role)) return reading{text_fault{0, 0, word::quoted(role) + " must be the name of a role"}};
    if (!value.is_string()) return reading{text_fault{0, 0, role + ": the value must be a text in the notation"}};
    members.emplace_back(role, value.template get_ref<std::string const&>());
  }
  return reader::read_members(members, check, std::move(given)...);
}

}  // namespace detail

/// Reads a strategy from a JSON object in the form of `to_json`: a member for each role, whose value is a policy in the
/// notation of `read_strategy`. A role without a member is played as there, so `{}` is the default strategy.
///
///     auto const read = anew::strategy_from_json(nlohmann::json::parse(text), my_classifier{});
///
/// Requires: what `read_strategy` requires
/// Returns: the strategy, or what is wrong, with the member: "backoff: 'full_jitter' plays the role jitter". The position
/// of the fault counts within the member's value
/// Cost: allocates while it reads
/// Choose it for a configuration in JSON. For a flag or a line of text: read_strategy.
template <class... Lists, class Json, class... Given>
[[nodiscard]] auto strategy_from_json(Json const& object, Given... given) {
  return detail::read_json<Lists...>(object, detail::accepts_all{}, std::move(given)...);
}

/// Reads a strategy as `strategy_from_json` does, and refuses one that promises less than you demand.
///
/// Returns: the strategy, or a fault; for a strategy that falls short, what `shortfall()` says after the member to blame:
/// "max_attempts: attempts 7 > 5 by max_attempts". Where a default is to blame, no member is named
/// Cost: that of strategy_from_json and of bounds()
template <class... Lists, class Json, class... Given>
[[nodiscard]] auto strategy_from_json_within(Json const& object, limits const& demanded, Given... given) {
  return detail::read_json<Lists...>(object, detail::accepts_within{demanded}, std::move(given)...);
}

/// A strategy as a JSON object: a member for each role that is played, whose value is the policy in `describe()`'s words.
///
///     nlohmann::ordered_json object = strategy;  // {"backoff":"exponential(50ms,20s)","jitter":"full_jitter",...}
///
/// The JSON library finds this function by its name. With `ordered_json` the members stand in the order of the roles.
/// Cost: allocates.
/// Choose it to publish the configuration that a program runs with. For a line of a log: describe().
template <class Json, class... Ps>
void to_json(Json& object, basic_strategy<Ps...> const& strategy) {
  object = Json::object();
  anew::for_each_policy(strategy, [&object](std::string_view role, auto const& policy) {
    object[std::string{role}] = detail::describe_policy(policy);
  });
}

}  // namespace anew::inline ANEW_ABI

#endif
