// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <chrono>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "anew/aws/preset.hpp"
#include "anew/aws/settings.hpp"
#include "anew/preset/azure.hpp"
#include "anew/preset/envoy.hpp"
#include "anew/preset/google_cloud.hpp"
#include "anew/preset/grpc.hpp"
#include "anew/preset/step_functions.hpp"
#include "anew/virtual/virtual_strategy.hpp"

#include "named.hpp"

namespace anew_get {

namespace {

using namespace std::chrono_literals;

template <class Quota>
quota_state state_of(Quota const& quota) {
  quota_state now{!std::is_same_v<Quota, anew::unlimited_quota>, 0, std::nullopt};
  if constexpr (requires { quota.capacity(); }) now.capacity = static_cast<std::uint32_t>(quota.capacity());
  if constexpr (requires { quota.balance(); }) now.balance = static_cast<std::uint32_t>(quota.balance());
  return now;
}

/// Behind the virtual interface, with ways to look at what it is made of.
template <class Strategy>
made_strategy behind_interface(Strategy strategy, bool is_of_aws) {
  auto made = std::make_unique<anew::virtual_strategy<Strategy>>(std::move(strategy));
  made_strategy all;
  all.quota = [at = made.get()] { return state_of(at->strategy().quota()); };
  if constexpr (Strategy::has_pacer) {
    all.rate = [at = made.get()] {
      auto const& pacer = at->strategy().pacer();
      return pacer.is_enabled() ? pacer.fill_rate() : 0.0;
    };
  }
  if constexpr (requires { made->strategy().max_attempts().value(); }) {
    all.max_attempts = static_cast<std::uint32_t>(made->strategy().max_attempts().value());
  }
  all.is_of_aws = is_of_aws;
  all.strategy = std::move(made);
  return all;
}

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

/// Hears nothing.
struct nobody final : hearer {
  void judged(anew::attempt_event const& /*event*/) override {}
  void waits(anew::retry_event const& /*event*/) override {}
  void ends(anew::end_event const& /*event*/) override {}
};

}  // namespace

bool is_strategy_name(std::string_view text) {
  for (auto const& one : all) {
    if (one.name == text) return true;
  }
  return false;
}

made_strategy make_named(std::string_view name, hearer& who) {
  for (auto const& one : all) {
    if (one.name == name) return one.make(who);
  }
  return {};
}

std::string describe_named(std::string_view name) {
  nobody who;
  return make_named(name, who).strategy->describe();
}

}  // namespace anew_get
