// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <memory>

#include "anew/anew.hpp"
#include "anew/prometheus.hpp"

#include "cases.hpp"

/// A call that is counted for Prometheus, by the first thread of the process, in a unit of its own.
namespace {

using namespace std::chrono_literals;

struct is_busy {
  constexpr bool operator()(int code) const noexcept { return code == cases::busy; }
};

// The system's clock takes some instructions more or less in each run.
struct stopped_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  static anew::time_point now() noexcept { return {}; }
};

auto const watched = anew::compose(anew::exponential_backoff<50ms, 20s>{}, anew::full_jitter{},
                                   anew::retry_if<is_busy>{}, anew::max_attempts<3>{}, stopped_clock{},
                                   anew::prometheus_metrics{std::make_shared<anew::prometheus_families>()});
// The first call makes its series, and the second one links what the others call.
[[maybe_unused]] auto const called_before = (anew_prometheus(), anew_prometheus());

}  // namespace

cases::answer anew_prometheus() { return anew::retry(watched, cases::ask, cases::wait); }
