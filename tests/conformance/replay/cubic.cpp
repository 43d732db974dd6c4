// SPDX-License-Identifier: BSL-1.0
// The cubic functions of the client rate limiter.
#include <cstddef>
#include <string>

#include "anew/pacer/cubic_rate.hpp"

#include "modes.hpp"
#include "rate_parts.hpp"

namespace replay {

namespace {

/// A row that is throttled takes the rate of the row before it down; any other one is where the cubic function is then.
std::optional<difference> replay_rows(json const& file, json const& section) {
  auto const& given = need(section, "given");
  double const tolerance = tolerance_of(file, section);
  auto const& rows = need(section, "rows");
  if (!rows.is_array() || rows.empty()) throw malformed{"'rows' is no list of rows"};
  anew::cubic_rate cubic{number(given, "last_max_rate"), number(given, "last_throttle_time"),
                         constants_of(file, given)};
  double rate = cubic.last_max_rate;
  for (auto const& row : rows) {
    double const t = number(row, "t");
    double const expected = number(row, "expected");
    rate = flag_or(row, "throttled", false) ? cubic.throttle(rate, t) : cubic.success(t);
    if (!is_close(rate, expected, tolerance)) {
      return difference{shown(expected).append(" at t = ").append(shown(t)), shown(rate)};
    }
  }
  return std::nullopt;
}

void replay_section(json const& file, char const* name, report& to) {
  auto const* const section = find(file, name);
  if (section == nullptr) return;
  to.run(name, [&] { return replay_rows(file, *section); });
}

std::optional<difference> replay_window(json const& file, json const& one) {
  double const expected = number(one, "expected");
  double const got = anew::cubic_rate::time_window(number(one, "last_max_rate"), constants_of(file, one));
  if (is_close(got, expected, tolerance_of(file, one))) return std::nullopt;
  return difference{shown(expected), shown(got)};
}

}  // namespace

void replay_cubic(json const& file, report& to) {
  replay_section(file, "success", to);
  replay_section(file, "mixed", to);
  if (auto const* const windows = find_array(file, "time_windows"); windows != nullptr) {
    for (std::size_t i = 0; i < windows->size(); ++i) {
      auto const& one = (*windows)[i];
      to.run(id_of(one, "time_windows", i), [&] { return replay_window(file, one); });
    }
  }
  skip_others(file, {"success", "mixed", "time_windows"}, to);
}

}  // namespace replay
