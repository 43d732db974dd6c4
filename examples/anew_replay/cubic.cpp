// SPDX-License-Identifier: BSL-1.0
// The cubic functions of the client rate limiter.
#include <cstddef>
#include <string>

#include "anew/base/failure.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/internal/pacing_bucket.hpp"

#include "modes.hpp"
#include "rate_parts.hpp"

namespace replay {

namespace {

/// A row that is throttled takes the rate of the row before it down; any other one is where the cubic function is then.
/// Two harnesses go on from the rate after the cut, which no client does: the file says that it is not for acceptance.
std::optional<difference> replay_rows(json const& file, json const& section, bool of_harness) {
  refuse_others(section, {"given", "rows", "rule", "tolerance", of_harness ? "do_not_use_as_acceptance" : "rows"},
                "a section");
  auto const& given = need(section, "given");
  refuse_other_than_constants(given, {"last_max_rate", "last_throttle_time"}, "'given'");
  double const tolerance = tolerance_of(file, section);
  auto const& rows = need(section, "rows");
  if (!rows.is_array() || rows.empty()) throw malformed{"'rows' is no list of rows"};
  anew::cubic_rate cubic{number(given, "last_max_rate"), number(given, "last_throttle_time"),
                         constants_of(file, given)};
  double rate = cubic.last_max_rate;
  for (auto const& row : rows) {
    refuse_others(row, {"t", "throttled", "expected"}, "a row");
    double const t = number(row, "t");
    double const expected = number(row, "expected");
    rate = flag_or(row, "throttled", false) ? cubic.throttle(rate, t) : cubic.success(t);
    if (!is_close(rate, expected, tolerance)) {
      return difference{shown(expected).append(" at t = ").append(shown(t)), shown(rate)};
    }
    if (of_harness && flag_or(row, "throttled", false)) cubic.last_max_rate = rate;
  }
  return std::nullopt;
}

void replay_section(json const& file, char const* name, report& to, bool of_harness = false) {
  auto const* const section = find(file, name);
  if (section == nullptr) return;
  to.run(name, *section, [&] { return replay_rows(file, *section, of_harness); });
}

std::optional<difference> replay_window(json const& file, json const& one) {
  refuse_other_than_constants(one, {"last_max_rate", "expected", "tolerance"}, "a window");
  double const expected = number(one, "expected");
  double const got = anew::cubic_rate::time_window(number(one, "last_max_rate"), constants_of(file, one));
  if (is_close(got, expected, tolerance_of(file, one))) return std::nullopt;
  return difference{shown(expected), shown(got)};
}

/// One throttled response at an instant.
std::optional<difference> replay_throttle(json const& file, json const& one) {
  refuse_other_than_constants(one, {"rate", "expected", "then_success_at_same_instant", "tolerance"}, "a throttle");
  double const tolerance = tolerance_of(file, one);
  anew::cubic_rate cubic{0, 0, constants_of(file, one)};
  double const expected = number(one, "expected");
  double const got = cubic.throttle(number(one, "rate"), 0);
  if (!is_close(got, expected, tolerance)) return difference{shown(expected), shown(got)};
  if (find(one, "then_success_at_same_instant") == nullptr) return std::nullopt;
  double const next = number(one, "then_success_at_same_instant");
  double const success = cubic.success(0);
  if (is_close(success, next, tolerance)) return std::nullopt;
  return difference{shown(next).append(" for a success at the same instant"), shown(success)};
}

/// The first response of all is throttled, at the time of each row: the rate that is cut is the measured one.
std::optional<difference> replay_first_event(json const& file, json const& section) {
  refuse_others(section, {"given", "rows", "rule", "tolerance"}, "a section");
  auto const& given = need(section, "given");
  refuse_other_than_constants(given, {"clock_start", "last_max_rate", "last_throttle_time", "enabled"}, "'given'");
  if (flag_or(given, "enabled", false)) throw malformed{"'enabled' before the first response"};
  auto const constants = constants_of(file, given);
  auto const& rows = need(section, "rows");
  if (!rows.is_array() || rows.empty()) throw malformed{"'rows' is no list of rows"};
  for (auto const& row : rows) {
    refuse_others(row, {"t", "expected"}, "a row");
    anew::client_rate_limiter const limiter{constants, time_or_zero(given, "clock_start")};
    static_cast<void>(number(row, "t"));
    limiter.on_failure(anew::failure{.kind = anew::error_kind::throttling}, time_or_zero(row, "t"));
    anew::cubic_rate cubic{number(given, "last_max_rate"), number(given, "last_throttle_time"), constants};
    double const got = cubic.throttle(limiter.measured_rate(), number(row, "t"));
    double const expected = number(row, "expected");
    if (!is_close(got, expected, tolerance_of(file, section))) {
      return difference{shown(expected).append(" at t = ").append(shown(number(row, "t"))), shown(got)};
    }
  }
  return std::nullopt;
}

}  // namespace

void replay_cubic(json const& file, report& to) {
  replay_section(file, "success", to);
  replay_section(file, "mixed", to);
  replay_section(file, "mixed_post_beta_variant", to, true);
  if (auto const* const windows = find_array(file, "time_windows"); windows != nullptr) {
    for (std::size_t i = 0; i < windows->size(); ++i) {
      auto const& one = (*windows)[i];
      to.run(id_of(one, "time_windows", i), one, [&] { return replay_window(file, one); });
    }
  }
  if (auto const* const throttles = find_array(file, "throttle"); throttles != nullptr) {
    for (std::size_t i = 0; i < throttles->size(); ++i) {
      auto const& one = (*throttles)[i];
      to.run(id_of(one, "throttle", i), one, [&] { return replay_throttle(file, one); });
    }
  }
  if (auto const* const first = find(file, "throttle_first_event"); first != nullptr) {
    to.run("throttle_first_event", *first, [&] { return replay_first_event(file, *first); });
  }
  skip_others(file, {"success", "mixed", "mixed_post_beta_variant", "time_windows", "throttle", "throttle_first_event"},
              to);
}

}  // namespace replay
