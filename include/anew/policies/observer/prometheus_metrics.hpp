// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OBSERVER_PROMETHEUS_METRICS_HPP
#define ANEW_POLICIES_OBSERVER_PROMETHEUS_METRICS_HPP

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/policies/observer/prometheus_families.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Counts and times calls for Prometheus, by the name of their operation (`named()`; else the label), in the families of
/// `prometheus_families`.
///
/// Models: Observer (safe from many threads; copies share what they count)
/// Formula: none
/// Requires: prometheus-cpp 1.0 (Debian: prometheus-cpp-dev); families, which are not null
/// Cost: an atomic addition for each number that grows, five for a call that succeeds at once; two readings of the clock;
/// no lock, and no allocation once an operation has been called. An operation beyond the first
/// `prometheus_families::most_operations` is looked for among all of them in each call
/// Choose it where Prometheus scrapes the process. Not to follow single calls: json_lines.
/// Source: gRPC proposal A96 for the families
class prometheus_metrics {
  using counts = detail::operation_counts;
  struct leaves {
    void operator()(counts* of) const { of->add(counts::given_up); }
  };

 public:
  using role = roles::observer;

  struct call_type {
    std::unique_ptr<counts, leaves> of;
    time_point began;
  };

  explicit prometheus_metrics(std::shared_ptr<prometheus_families> to, std::string const& label = "anew")
      : to_{std::move(to)} {
    if (to_ == nullptr) detail::invalid_argument("prometheus_metrics", "families must not be null", "nullptr");
    own_ = &to_->changes_.at(label, prometheus_families::most_operations);
  }

  [[nodiscard]] call_type on_call(call_event const& event, time_point now) const {
    auto& of = to_->of(event.operation != nullptr ? event.operation : own_->name.c_str());
    of.add(counts::begun);
    return {std::unique_ptr<counts, leaves>{&of}, now};
  }
  static void on_attempt(call_type& call, attempt_event const& event) {
    call.of->add(counts::attempts + (event.attempt > 1 ? 2 : 0) + (event.succeeded() ? 1 : 0));
  }
  static void on_retry(call_type& call, retry_event const& event) {
    auto const kind = static_cast<std::size_t>(event.what.kind);
    call.of->add(counts::retries + 2 * kind + (event.origin == delay_origin::hint ? 1 : 0));
    call.of->observe(counts::delay, event.delay);
  }
  static void on_end(call_type& call, end_event const& event, time_point now) {
    call.of->add(counts::ended + static_cast<std::size_t>(event.reason));
    call.of.release()->observe(counts::took, now - call.began);
  }

  /// Counts changes. A gauge would be wrong after a strategy that limits is destroyed or restored, and where two strategies
  /// share a policy; `prometheus_gauges` reads the current state.
  void on_change(policy_change const& change) const {
    ++own_->value[3 * static_cast<std::size_t>(change.of) + static_cast<std::size_t>(change.to)];
  }

  [[nodiscard]] static std::string describe() { return "prometheus_metrics"; }

 private:
  std::shared_ptr<prometheus_families> to_;
  detail::added_by_name<prometheus_families::change_counts>::entry* own_;
};

}  // namespace anew::inline ANEW_ABI

#endif
