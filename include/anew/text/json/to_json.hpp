// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_JSON_TO_JSON_HPP
#define ANEW_TEXT_JSON_TO_JSON_HPP

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "anew/base/platform/compiler.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/strategy/for_each_policy.hpp"

namespace anew::inline ANEW_ABI {

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
