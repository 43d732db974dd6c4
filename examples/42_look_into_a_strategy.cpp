// SPDX-License-Identifier: BSL-1.0
// What a strategy is made of, printed; what differs between two; and a strategy as a structure of Boost.Hana.
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include <boost/hana/at_key.hpp>
#include <boost/hana/fold_left.hpp>
#include <boost/hana/members.hpp>

#include "anew/anew.hpp"
#include "anew/hana.hpp"
#include "anew/strategy/for_each_policy.hpp"

using namespace std::chrono_literals;
namespace hana = boost::hana;

// [strategies]
using standard = anew::strategy<anew::exponential_backoff<100ms, 5s>, anew::token_bucket<500>>;
using patient = anew::with<standard, anew::max_attempts<8>, anew::deadline<1min>>;
// [/strategies]

int main() {
  standard const strategy;
  // [for_each_policy]
  anew::for_each_policy(strategy, [](std::string_view role, auto const& policy) {
    std::printf("%s: %s\n", std::string{role}.c_str(), policy.describe().c_str());
  });
  // [/for_each_policy]

  // [strategy_difference]
  for (auto const& [role, left, right] : anew::strategy_difference(standard{}, patient{}))
    std::printf("%s: '%s' instead of '%s'\n", std::string{role}.c_str(), right.c_str(), left.c_str());
  // [/strategy_difference]

  // [hana]
  auto const attempts = hana::at_key(patient{}, anew::role_c<anew::roles::max_attempts>);
  auto const words = hana::fold_left(hana::members(strategy), std::string{}, [](std::string text, auto const& policy) {
    return text.empty() ? policy.describe() : text + " + " + policy.describe();
  });
  // [/hana]
  std::printf("%s\n%s\n", attempts.describe().c_str(), words.c_str());
}
