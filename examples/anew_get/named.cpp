// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <utility>

#include "anew/ports/aws.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/grpc.hpp"
#include "anew/presets/step_functions.hpp"

#include "behind_interface.hpp"
#include "named.hpp"
#include "policies.hpp"

namespace anew_get {

namespace {

using namespace std::chrono_literals;

template <class Preset, bool IsOfAws>
made_strategy make(hearer& who) {
  using strategy = anew::with<Preset, service_classifier, feed>;
  return behind_interface(strategy{service_classifier{IsOfAws}, feed{who}}, IsOfAws);
}

made_strategy make_configured(hearer& who) {
  return anew::aws_settings::visit_strategy(
      anew::aws_settings::resolve(), [](auto&& strategy) { return behind_interface(std::move(strategy), true); },
      service_classifier{true}, feed{who});
}

// A retrier as the guide has it: 3 s, 4.5 s, 6.75 s.
using step_functions = anew::step_functions::retrier<3s, 3, anew::rational{3, 2}>;

struct entry {
  std::string_view name;
  made_strategy (*make)(hearer&);
};
constexpr std::array all{
    entry{"aws-standard", &make<anew::aws::standard, true>},
    entry{"aws-standard-2020", &make<anew::aws::standard_2020, true>},
    entry{"aws-adaptive", &make<anew::aws::adaptive, true>},
    entry{"aws-adaptive-2020", &make<anew::aws::adaptive_2020, true>},
    entry{"aws-legacy", &make<anew::aws::legacy, true>},
    entry{"aws-dynamodb", &make<anew::aws::dynamodb, true>},
    entry{"aws-long-polling", &make<anew::aws::long_polling, true>},
    entry{"grpc", &make<anew::grpc::retry_policy<>, false>},
    entry{"step-functions", &make<step_functions, false>},
    entry{"from-config", &make_configured},
};

}  // namespace

bool is_strategy_name(std::string_view text) {
  return std::any_of(all.begin(), all.end(), [text](entry const& one) { return one.name == text; });
}

std::string_view near_strategy_name(std::string_view text) {
  constexpr std::size_t most = 2;
  for (auto const& one : all) {
    auto const shorter = std::min(text.size(), one.name.size());
    std::size_t front = 0;
    while (front != shorter && text[front] == one.name[front]) ++front;
    std::size_t back = 0;
    while (back != shorter - front && text[text.size() - 1 - back] == one.name[one.name.size() - 1 - back]) ++back;
    if (std::max(text.size(), one.name.size()) - front - back <= most) return one.name;
  }
  return {};
}

made_strategy make_named(std::string_view name, hearer& who) {
  for (auto const& one : all) {
    if (one.name == name) return one.make(who);
  }
  return {};
}

}  // namespace anew_get
