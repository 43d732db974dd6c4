// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OBSERVER_PROMETHEUS_FAMILIES_HPP
#define ANEW_POLICIES_OBSERVER_PROMETHEUS_FAMILIES_HPP

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/base/policy_change.hpp"
#include "anew/base/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// Sums of one operation, in stripes, so that few threads write to one.
class operation_counts {
 public:
  static constexpr std::size_t reasons = static_cast<std::size_t>(stop_reason::cancelled) + 1;
  static constexpr std::size_t kinds = std::size(every_kind);
  static constexpr std::array bounds{0.001,
                                     0.005,
                                     0.01,
                                     0.05,
                                     0.1,
                                     0.5,
                                     1.0,
                                     5.0,
                                     10.0,
                                     60.0,
                                     std::numeric_limits<double>::infinity()};  ///< in seconds
  /// Where the numbers of each topic begin. Those of a histogram are the sum, and a bucket for each bound.
  enum place : std::size_t {
    begun,
    given_up,                     ///< over without an end
    attempts,                     ///< retry * 2 + success
    retries = attempts + 4,       ///< kind * 2 + hint
    ended = retries + 2 * kinds,  ///< by reason
    took = ended + reasons,
    delay = took + 1 + bounds.size(),
    places = delay + 1 + bounds.size()
  };

  void add(std::size_t where, double much = 1) noexcept {
    stripes_[thread_number() % stripes_.size()].sums[where].fetch_add(much, std::memory_order_release);
  }
  void observe(std::size_t histogram, duration length) noexcept {
    auto const seconds = std::chrono::duration<double>{length}.count();
    add(histogram, seconds);
    add(histogram + 1 + static_cast<std::size_t>(std::ranges::lower_bound(bounds, seconds) - bounds.begin()));
  }
  [[nodiscard]] double sum(std::size_t where) const noexcept {
    double all = 0;
    for (auto const& each : stripes_) all += each.sums[where].load(std::memory_order_acquire);
    return all;
  }

 private:
  struct alignas(cache_line) part {
    std::array<std::atomic<double>, places> sums{};
  };
  std::array<part, 16> stripes_{};
};

/// Values by name, which are added and never removed. No thread waits for another, nor does a forked child.
template <class T>
class added_by_name {
 public:
  struct entry {
    std::string name;
    entry* next;
    std::size_t number;
    T value{};
  };

  added_by_name() = default;
  added_by_name(added_by_name const&) = delete;
  added_by_name& operator=(added_by_name const&) = delete;
  ~added_by_name() {
    for (auto* each = first_.load(); each != nullptr;) delete std::exchange(each, each->next);
  }

  /// The one that was added last.
  [[nodiscard]] entry const* first() const noexcept { return first_.load(std::memory_order_acquire); }
  /// Adds it if it is not there. When there are `most`, any other name stands for "other".
  [[nodiscard]] entry& at(std::string_view name, std::size_t most) {
    auto* first = first_.load(std::memory_order_acquire);
    for (;;) {
      for (auto* each = first; each != nullptr; each = each->next) {
        if (each->name == name) return *each;
      }
      auto const number = first == nullptr ? 1 : first->number + 1;
      if (number > most && std::exchange(name, "other") != "other") continue;
      std::unique_ptr<entry> made{new entry{std::string{name}, first, number}};
      if (first_.compare_exchange_strong(first, made.get(), std::memory_order_acq_rel)) return *made.release();
    }
  }

 private:
  std::atomic<entry*> first_{nullptr};
};

}  // namespace detail

/// Shows Prometheus what every `prometheus_metrics` that is made with it counts.
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
///     auto const families = std::make_shared<anew::prometheus_families>();
///     exposer.RegisterCollectable(families);
///     auto const strategy = anew::compose(anew::prometheus_metrics{families, "orders"});
///
/// Requires: prometheus-cpp 1.0 (its headers). At most `most_operations` names, 100, and as many labels: the counts of any
/// further one are added up as "other". Register one object for each exposer: two of them would show each family twice.
/// Cost: 7 KiB and fewer than 60 series for each operation; a scrape adds up what 16 stripes of each operation counted
/// Source: gRPC proposal A96 for the families
class prometheus_families final : public prometheus::Collectable {
  using counts = detail::operation_counts;

 public:
  static constexpr std::size_t most_operations = 100;

  [[nodiscard]] std::vector<prometheus::MetricFamily> Collect() const override {
    using prometheus::MetricType;
    std::array<prometheus::MetricFamily, 7> all{{
        {"anew_calls_total", "Calls that ended, by the reason", MetricType::Counter, {}},
        {"anew_attempts_total", "Attempts that ended, by type and outcome", MetricType::Counter, {}},
        {"anew_retries_total", "Retries, by the kind of error and the origin of the delay", MetricType::Counter, {}},
        {"anew_policy_changes_total", "Changes of gates, quotas and pacers, by what follows", MetricType::Counter, {}},
        {"anew_calls_in_progress", "Calls that have begun and not ended", MetricType::Gauge, {}},
        {"anew_call_duration_seconds", "From the begin of a call to its end", MetricType::Histogram, {}},
        {"anew_retry_delay_seconds", "Waits before retries", MetricType::Histogram, {}},
    }};
    auto& [calls, attempts, retries, changes, in_progress, took, delay] = all;
    for (auto const* each = operations_.first(); each != nullptr; each = each->next) {
      auto const& operation = each->name;
      auto const& of = each->value;
      auto over = of.sum(counts::given_up);  // read before what has begun: a call that is over has begun
      for (std::size_t i = 0; i != counts::reasons; ++i) {
        auto const ended = of.sum(counts::ended + i);
        add(calls, {{"operation", operation}, {"reason", to_string(static_cast<stop_reason>(i))}}, ended);
        over += ended;
      }
      for (std::size_t i = 0; i != 4; ++i)
        add(attempts,
            {{"operation", operation},
             {"outcome", i % 2 == 0 ? "failure" : "success"},
             {"type", i < 2 ? "original" : "retry"}},
            of.sum(counts::attempts + i));
      for (std::size_t i = 0; i != 2 * counts::kinds; ++i)
        add(retries,
            {{"kind", to_string(static_cast<error_kind>(i / 2))},
             {"operation", operation},
             {"origin", i % 2 == 0 ? "backoff" : "hint"}},
            of.sum(counts::retries + i));
      add(in_progress, {{"operation", operation}}, of.sum(counts::begun) - over);
      add_histogram(took, operation, of, counts::took);
      add_histogram(delay, operation, of, counts::delay);
    }
    for (auto const* each = changes_.first(); each != nullptr; each = each->next) {
      for (std::size_t i = 0; i != each->value.size(); ++i) {
        auto const of = static_cast<changed>(i / 3);
        auto const into = static_cast<breaker_state>(i % 3);
        if (of != changed::gate && into == breaker_state::half_open) continue;
        add(changes, {{"operation", each->name}, {"policy", to_string(of)}, {"to", to_string(of, into)}},
            static_cast<double>(each->value[i].load(std::memory_order_relaxed)));
      }
    }
    std::vector<prometheus::MetricFamily> shown;
    for (auto& family : all) {
      if (!family.metric.empty()) shown.push_back(std::move(family));
    }
    return shown;
  }

 private:
  friend class prometheus_metrics;
  using change_counts =
      std::array<std::atomic<std::uint64_t>, 9>;  ///< by `changed`, thrice, and the state that follows

  /// Most names are constants, so an operation is found by the address of its name. The text is compared as well.
  counts& of(char const* operation) {
    auto& place = found_[(reinterpret_cast<std::uintptr_t>(operation) >> 3U) % found_.size()];
    auto* const last = place.load(std::memory_order_acquire);
    if (last != nullptr && std::strcmp(last->name.c_str(), operation) == 0) return last->value;
    auto& at = operations_.at(operation, most_operations);
    place.store(&at, std::memory_order_release);
    return at.value;
  }

  static void add(prometheus::MetricFamily& to, std::vector<prometheus::ClientMetric::Label> labels, double value) {
    auto& metric = to.metric.emplace_back();
    metric.label = std::move(labels);
    (to.type == prometheus::MetricType::Gauge ? metric.gauge.value : metric.counter.value) = value;
  }
  static void add_histogram(prometheus::MetricFamily& to, std::string const& operation, counts const& of,
                            std::size_t place) {
    auto& metric = to.metric.emplace_back();
    metric.label = {{"operation", operation}};
    auto& shown = metric.histogram;
    shown.sample_sum = of.sum(place);
    for (auto const bound : counts::bounds) {
      shown.sample_count += static_cast<std::uint64_t>(of.sum(++place));
      shown.bucket.push_back({shown.sample_count, bound});
    }
  }

  detail::added_by_name<counts> operations_;
  detail::added_by_name<change_counts> changes_;
  std::array<std::atomic<detail::added_by_name<counts>::entry*>, 64> found_{};  ///< by the address of the name
};

}  // namespace anew::inline ANEW_ABI

#endif
