// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OBSERVER_PROMETHEUS_GAUGES_HPP
#define ANEW_POLICIES_OBSERVER_PROMETHEUS_GAUGES_HPP

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <string>
#include <utility>
#include <vector>

#include "anew/base/breaker_state.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// Reads the policies of a strategy when Prometheus scrapes: calls pay nothing for it.
///
/// | gauge, with the label `operation` | of                                                        |
/// |-----------------------------------|-----------------------------------------------------------|
/// | `anew_quota_balance`              | a quota with `balance()`: what may be spent now           |
/// | `anew_quota_capacity`             | a quota with `capacity()`                                 |
/// | `anew_gate_limit`                 | a gate with `limit()`: the attempts that may run at once  |
/// | `anew_gate_attempts`              | a gate with `attempts()`: the attempts that run           |
/// | `anew_gate_open`                  | a breaker: 1 while it is open, else 0                     |
///
///     auto const gauges = std::make_shared<anew::prometheus_gauges<decltype(strategy)>>(strategy, "orders");
///     exposer.RegisterCollectable(gauges);
///
/// Requires: prometheus-cpp 1.0; a strategy that outlives it. Cost: a few loads for each scrape
template <class Strategy>
class prometheus_gauges final : public prometheus::Collectable {
 public:
  explicit prometheus_gauges(Strategy const& of, std::string label = "anew") : of_{of}, label_{std::move(label)} {}

  [[nodiscard]] std::vector<prometheus::MetricFamily> Collect() const override {
    std::vector<prometheus::MetricFamily> all;
    auto const now = of_.now();
    read(of_.quota(), [&](auto const& quota) {
      if constexpr (requires { quota.balance(now); }) {
        add(all, "anew_quota_balance", "Tokens that retries may spend", quota.balance(now));
      } else if constexpr (requires { quota.balance(); }) {
        add(all, "anew_quota_balance", "Tokens that retries may spend", quota.balance());
      }
      if constexpr (requires { quota.capacity(); })
        add(all, "anew_quota_capacity", "Tokens of a full quota", quota.capacity());
    });
    read(of_.gate(), [&](auto const& gate) {
      if constexpr (requires { gate.limit(); })
        add(all, "anew_gate_limit", "Attempts that may run at once", gate.limit());
      if constexpr (requires { gate.attempts(); }) add(all, "anew_gate_attempts", "Attempts that run", gate.attempts());
      if constexpr (requires { gate.state() == breaker_state::open; })
        add(all, "anew_gate_open", "1 while the breaker is open", gate.state() == breaker_state::open ? 1 : 0);
    });
    return all;
  }

 private:
  static void read(auto const& policy, auto const& look) {
    if constexpr (requires { policy.policy(); }) {
      read(policy.policy(), look);
    } else {
      look(policy);
    }
  }
  void add(std::vector<prometheus::MetricFamily>& to, char const* name, char const* help, double value) const {
    prometheus::ClientMetric metric;
    metric.label.push_back({"operation", label_});
    metric.gauge.value = value;
    to.push_back({name, help, prometheus::MetricType::Gauge, {metric}});
  }

  Strategy const& of_;
  std::string label_;
};

}  // namespace anew::inline ANEW_ABI

#endif
