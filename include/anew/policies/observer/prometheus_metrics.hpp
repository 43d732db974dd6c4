// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OBSERVER_PROMETHEUS_METRICS_HPP
#define ANEW_POLICIES_OBSERVER_PROMETHEUS_METRICS_HPP

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Counts and times calls in a registry of prometheus-cpp, by the name of their operation (`named()`; else the label).
///
/// | family                          | type      | labels beside `operation`                             |
/// |---------------------------------|-----------|-------------------------------------------------------|
/// | `anew_calls_total`              | counter   | `reason`: the `stop_reason`                           |
/// | `anew_calls_in_progress`        | gauge     |                                                       |
/// | `anew_call_duration_seconds`    | histogram | waits included                                        |
/// | `anew_attempts_total`           | counter   | `type`: original, retry; `outcome`: success, failure  |
/// | `anew_retries_total`            | counter   | `kind`: the `error_kind`; `origin`: backoff, hint     |
/// | `anew_retry_delay_seconds`      | histogram |                                                       |
/// | `anew_policy_changes_total`     | counter   | `policy`: gate, quota, pacer; `to`: open, half_open, closed, empty, granting, slowing, free; here `operation` is the label |
///
/// Models: Observer (safe from many threads; copies share what they count)
/// Formula: none
/// Requires: prometheus-cpp 1.0 (Debian: prometheus-cpp-dev), linked; a registry that outlives the strategy. At most
/// `most_operations` names, 100: the calls of any further name are counted together as "other".
/// Cost: fewer than 60 series for each operation; an atomic addition or two for each event, two readings of the clock, no
/// allocation and no lock once an operation has been called. An operation beyond the first `most_operations` takes a lock
/// Choose it where Prometheus scrapes the process. Not to follow single calls: json_lines.
/// Source: gRPC proposal A96 for the families
class prometheus_metrics {
  static constexpr std::size_t reasons = static_cast<std::size_t>(stop_reason::cancelled) + 1;
  static constexpr std::size_t kinds = std::size(detail::every_kind);

  struct series {
    std::array<prometheus::Counter*, reasons> ended{};
    std::array<prometheus::Counter*, 4> attempts{};  ///< retry * 2 + success
    std::array<prometheus::Counter*, 2 * kinds> retries{};
    prometheus::Gauge* in_progress = nullptr;
    prometheus::Histogram* took = nullptr;
    prometheus::Histogram* delay = nullptr;
  };
  struct state {
    prometheus::Family<prometheus::Counter>&calls, &attempts, &retries;
    prometheus::Family<prometheus::Gauge>& in_progress;
    prometheus::Family<prometheus::Histogram>&took, &delay;
    std::string label;
    std::array<std::array<prometheus::Counter*, 3>, 3> changes{};  ///< by `changed` and the state that follows
    std::map<std::string, series, std::less<>> of{};
    std::array<std::atomic<std::pair<std::string const, series> const*>, 64> found{};  ///< by the address of the name
    detail::platform::mutex mutex{};
  };
  struct leaves {
    void operator()(series const* of) const { of->in_progress->Decrement(); }
  };

 public:
  using role = roles::observer;
  static constexpr std::size_t most_operations = 100;

  struct call_type {
    std::unique_ptr<series const, leaves> of;
    time_point began;
  };

  explicit prometheus_metrics(prometheus::Registry& to, std::string label = "anew")
      : state_{new state{counter(to, "anew_calls_total", "Calls that ended, by the reason"),
                         counter(to, "anew_attempts_total", "Attempts that ended, by type and outcome"),
                         counter(to, "anew_retries_total", "Retries, by the kind of error and the origin of the delay"),
                         prometheus::BuildGauge()
                             .Name("anew_calls_in_progress")
                             .Help("Calls that have begun and not ended")
                             .Register(to),
                         histogram(to, "anew_call_duration_seconds", "From the begin of a call to its end"),
                         histogram(to, "anew_retry_delay_seconds", "Waits before retries"), std::move(label)}} {
    auto& changes = counter(to, "anew_policy_changes_total", "Changes of gates, quotas and pacers, by what follows");
    for (std::size_t i = 0; i != 3; ++i) {
      auto const of = static_cast<changed>(i);
      for (auto const into : {breaker_state::closed, breaker_state::open, breaker_state::half_open}) {
        if (of != changed::gate && into == breaker_state::half_open) continue;
        state_->changes[i][static_cast<std::size_t>(into)] =
            &changes.Add({{"operation", state_->label}, {"policy", to_string(of)}, {"to", to_string(of, into)}});
      }
    }
  }

  [[nodiscard]] call_type on_call(call_event const& event, time_point now) const {
    auto const& of = series_of(event.operation != nullptr ? event.operation : state_->label.c_str());
    of.in_progress->Increment();
    return {std::unique_ptr<series const, leaves>{&of}, now};
  }
  static void on_attempt(call_type& call, attempt_event const& event) {
    call.of->attempts[(event.attempt > 1 ? 2U : 0U) + (event.succeeded() ? 1U : 0U)]->Increment();
  }
  static void on_retry(call_type& call, retry_event const& event) {
    auto const kind = static_cast<std::size_t>(event.what.kind);
    call.of->retries[2 * kind + (event.origin == delay_origin::hint ? 1 : 0)]->Increment();
    call.of->delay->Observe(in_seconds(event.delay));
  }
  static void on_end(call_type& call, end_event const& event, time_point now) {
    call.of->ended[static_cast<std::size_t>(event.reason)]->Increment();
    call.of->took->Observe(in_seconds(now - call.began));
  }

  /// Counts changes. A gauge would be wrong after a strategy that limits is destroyed or restored, and where two strategies
  /// share a policy; `prometheus_gauges` reads the current state.
  void on_change(policy_change const& change) const {
    state_->changes[static_cast<std::size_t>(change.of)][static_cast<std::size_t>(change.to)]->Increment();
  }

  [[nodiscard]] static std::string describe() { return "prometheus_metrics"; }

 private:
  static double in_seconds(duration d) { return std::chrono::duration<double>{d}.count(); }
  static prometheus::Family<prometheus::Counter>& counter(prometheus::Registry& to, char const* name,
                                                          char const* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(to);
  }
  static prometheus::Family<prometheus::Histogram>& histogram(prometheus::Registry& to, char const* name,
                                                              char const* help) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(to);
  }

  /// Most names are constants, so a series is cached by the address of its name. The text is compared as well.
  series const& series_of(char const* wanted) const {
    auto& place = state_->found[(reinterpret_cast<std::uintptr_t>(wanted) >> 3U) % state_->found.size()];
    auto const* const last = place.load(std::memory_order_acquire);
    if (last != nullptr && last->first == wanted) return last->second;
    detail::platform::lock_guard const lock{state_->mutex};
    auto at = state_->of.find(std::string_view{wanted});
    if (at == state_->of.end()) {
      std::string const name = state_->of.size() < most_operations ? wanted : "other";
      bool is_new = false;
      std::tie(at, is_new) = state_->of.try_emplace(name);
      if (is_new) at->second = make(name);
    }
    place.store(&*at, std::memory_order_release);
    return at->second;
  }
  series make(std::string const& operation) const {
    series made;
    for (std::size_t i = 0; i != reasons; ++i)
      made.ended[i] =
          &state_->calls.Add({{"operation", operation}, {"reason", to_string(static_cast<stop_reason>(i))}});
    for (std::size_t i = 0; i != made.attempts.size(); ++i)
      made.attempts[i] = &state_->attempts.Add({{"operation", operation},
                                                {"type", i < 2 ? "original" : "retry"},
                                                {"outcome", i % 2 == 0 ? "failure" : "success"}});
    for (std::size_t i = 0; i != made.retries.size(); ++i)
      made.retries[i] = &state_->retries.Add({{"operation", operation},
                                              {"kind", to_string(static_cast<error_kind>(i / 2))},
                                              {"origin", i % 2 == 0 ? "backoff" : "hint"}});
    std::vector<double> const bounds{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60};
    made.in_progress = &state_->in_progress.Add({{"operation", operation}});
    made.took = &state_->took.Add({{"operation", operation}}, bounds);
    made.delay = &state_->delay.Add({{"operation", operation}}, bounds);
    return made;
  }

  std::shared_ptr<state> state_;
};

}  // namespace anew::inline ANEW_ABI

#endif
