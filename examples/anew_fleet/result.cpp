// SPDX-License-Identifier: BSL-1.0
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "histogram.hpp"
#include "instant.hpp"
#include "result.hpp"

namespace anew_fleet {

namespace {

using fleet_simulation::observed;

constexpr auto none = std::numeric_limits<double>::quiet_NaN();

/// The nearest number to the seconds, as it is printed: seconds_of(60'000'000'000) is 60.00000000000001.
double nearest_seconds(fleet_simulation::instant t) { return static_cast<double>(t) / 1e9; }

double quantile(fleet_simulation::histogram const& of, double share) {
  return of.size() == 0 ? none : of.quantile(share);
}

std::vector<row> rows_of(observed const& found, std::vector<std::string> const& names) {
  std::vector<row> rows;
  for (std::size_t i = 0; i != found.periods.size(); ++i) {
    auto const& of = found.periods[i];
    auto const sum = found.times.sum(of.begin, of.end);
    row one;
    one.begin = nearest_seconds(of.begin);
    one.end = nearest_seconds(of.end);
    one.name = names[i];
    one.calls = sum.calls;
    one.attempts = sum.attempts;
    one.amplification = sum.calls == 0 ? none : one.attempts / one.calls;
    one.good = static_cast<double>(of.took.size());
    one.failed = one.calls - one.good - sum.open;
    one.by_quota = of.by_quota;
    one.under_way = sum.open;
    one.p50 = quantile(of.took, 0.5);
    one.p99 = quantile(of.took, 0.99);
    one.p999 = quantile(of.took, 0.999);
    rows.push_back(std::move(one));
  }
  return rows;
}

}  // namespace

result result_of(observed const& found, fleet_simulation::world const& w, std::vector<std::string> const& names) {
  result of;
  of.seed = w.seed;
  of.rows = rows_of(found, names);
  if (found.has_collapsed) {
    of.gave_up = nearest_seconds(found.ended);
  } else {
    auto const last = observed::end_of(w) - w.phases.back().lasts.count();
    of.recovery = found.times.recovery(last);
    if (of.recovery) of.recovery = std::round(10 * *of.recovery) / 10;  // whole tenths, as they are printed
    of.end = of.recovery ? ending::recovered : found.times.fails_at_the_end(last) ? ending::failing : ending::too_short;
  }
  for (auto const n : found.attempts_of_layer) of.attempts_of_layers.push_back(static_cast<double>(n));
  of.events = found.events;
  return of;
}

}  // namespace anew_fleet
