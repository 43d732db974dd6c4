// SPDX-License-Identifier: BSL-1.0
// What the client rate limiter measures and allows, response by response.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "anew/base/failure.hpp"
#include "anew/policies/pacer/client_rate_limiter.hpp"
#include "anew/policies/pacer/internal/pacing_bucket.hpp"

#include "acquire.hpp"
#include "modes.hpp"
#include "rate_parts.hpp"

namespace replay {

namespace {

/// Compares an observer with a value of the row, where the row has it. Collects the first difference.
class comparison {
 public:
  comparison(json const& row, double tolerance, std::string where)
      : row_{row}, tolerance_{tolerance}, where_{std::move(where)} {}

  void of(json const& object, char const* name, double got) {
    if (find(object, name) == nullptr) return;
    ++compared_;
    double const expected = number(object, name);
    if (!found_ && !is_close(got, expected, tolerance_)) {
      found_ = difference{std::string{name}.append(" ").append(shown(expected)).append(where_), shown(got)};
    }
  }
  void of(char const* name, double got) { of(row_, name, got); }
  void of(json const& object, char const* name, bool got) {
    if (find(object, name) == nullptr) return;
    ++compared_;
    bool const expected = flag_or(object, name, false);
    if (!found_ && got != expected) {
      found_ =
          difference{std::string{name}.append(expected ? " true" : " false").append(where_), got ? "true" : "false"};
    }
  }

  /// The first difference; a row that says nothing that can be compared is an error.
  [[nodiscard]] std::optional<difference> result() const {
    if (compared_ == 0) throw malformed{"nothing to compare" + where_};
    return found_;
  }

 private:
  json const& row_;
  double tolerance_;
  std::string where_;
  std::size_t compared_ = 0;
  std::optional<difference> found_;
};

/// What the implementation itself publishes of these rows.
std::optional<difference> compare_published(json const& section, std::vector<double> const& measured,
                                            double tolerance) {
  auto const* const published = find(section, "published");
  if (published == nullptr) return std::nullopt;
  refuse_others(*published, {"first_five", "last", "last_about", "last_between"}, "'published'");
  comparison compare{*published, tolerance, " as published"};
  compare.of("last", measured.back());
  for (std::size_t i = 0; i != 5 && i != measured.size(); ++i) compare.of("first_five", measured[i]);
  if (find(*published, "last_about") != nullptr &&
      std::abs(number(*published, "last_about") - measured.back()) > 1e-3) {
    return difference{"about " + shown(number(*published, "last_about")), shown(measured.back())};
  }
  if (find(*published, "last_between") != nullptr) {
    if (auto found = outside(*published, "last_between", measured.back())) return found;
  }
  return find(*published, "last") != nullptr || find(*published, "first_five") != nullptr ? compare.result()
                                                                                          : std::nullopt;
}

/// One response for each row, of a limiter that begins at `start`.
std::optional<difference> replay_responses(json const& file, json const& section, char const* start) {
  refuse_other_than_constants(section, {start, "rows", "published", "tolerance"}, "a sequence of responses");
  auto const& rows = need(section, "rows");
  if (!rows.is_array() || rows.empty()) throw malformed{"'rows' is no list of rows"};
  anew::client_rate_limiter const limiter{constants_of(file, section), time_or_zero(section, start)};
  std::vector<double> measured;
  for (auto const& row : rows) {
    refuse_others(row, {"t", "throttled", "measured", "measured_tx_rate", "fill_rate", "derived"}, "a row");
    static_cast<void>(number(row, "t"));
    auto const now = time_or_zero(row, "t");
    if (flag_or(row, "throttled", false)) {
      limiter.on_failure(anew::failure{.kind = anew::error_kind::throttling}, now);
    } else {
      limiter.on_success(now);
    }
    comparison compare{row, tolerance_of(file, section), std::string{" at t = "}.append(shown(number(row, "t")))};
    compare.of("measured", limiter.measured_rate());
    compare.of("measured_tx_rate", limiter.measured_rate());
    compare.of("fill_rate", limiter.fill_rate());
    if (auto const* const derived = find(row, "derived"); derived != nullptr) {
      refuse_others(*derived, {"enabled", "max_capacity", "current_capacity", "last_max_rate", "calculated_rate"},
                    "'derived'");
      compare.of(*derived, "enabled", limiter.is_enabled());
      compare.of(*derived, "max_capacity", limiter.max_capacity());
      compare.of(*derived, "current_capacity", limiter.capacity());
      compare.of(*derived, "last_max_rate", limiter.last_max_rate());
    }
    if (find(row, "derived") != nullptr && find(row["derived"], "calculated_rate") != nullptr) {
      // Before the two bounds, which the limiter does not show.
      double const bounded = std::max(std::min(number(row["derived"], "calculated_rate"), 2 * limiter.measured_rate()),
                                      constants_of(file, section).min_fill_rate);
      compare.of(json{{"calculated_rate", bounded}}, "calculated_rate", limiter.fill_rate());
    }
    if (auto found = compare.result()) return found;
    measured.push_back(limiter.measured_rate());
  }
  return compare_published(section, measured, tolerance_of(file, section));
}

std::optional<difference> replay_set_rate(json const& file, json const& one) {
  refuse_other_than_constants(one, {"set_rate", "min_rate", "fill_rate", "max_capacity", "tolerance"}, "a rate");
  auto constants = constants_of(file, one);
  if (find(one, "min_rate") != nullptr) constants.min_fill_rate = number(one, "min_rate");
  anew::pacing_bucket bucket;
  bucket.set_rate(number(one, "set_rate"), anew::time_point{}, constants);
  comparison compare{one, tolerance_of(file, one), {}};
  compare.of("fill_rate", bucket.fill_rate());
  compare.of("max_capacity", bucket.max_capacity());
  return compare.result();
}

}  // namespace

void replay_rate(json const& file, report& to) {
  if (auto const* const section = find(file, "end_to_end"); section != nullptr) {
    to.run("end_to_end", *section, [&] { return replay_responses(file, *section, "start_time"); });
  }
  if (auto const* const entries = find_array(file, "measured_rate"); entries != nullptr) {
    for (std::size_t i = 0; i < entries->size(); ++i) {
      auto const& one = (*entries)[i];
      auto const id = id_of(one, "measured_rate", i);
      if (one.is_object() && find(one, "rows") == nullptr) {
        to.skip(id, one, "described in words: it has no 'rows'");
      } else {
        to.run(id, one, [&] { return replay_responses(file, one, "start"); });
      }
    }
  }
  if (auto const* const rates = find_array(file, "set_rate"); rates != nullptr) {
    for (std::size_t i = 0; i < rates->size(); ++i) {
      auto const& one = (*rates)[i];
      to.run(id_of(one, "set_rate", i), one, [&] { return replay_set_rate(file, one); });
    }
  }
  if (auto const* const entries = find_array(file, "acquire"); entries != nullptr) {
    json setup;  // "same" is that of the entry before
    for (std::size_t i = 0; i < entries->size(); ++i) {
      auto const& one = (*entries)[i];
      auto const id = id_of(one, "acquire", i);
      json const said = one.is_object() && one.contains("setup") ? one["setup"] : json{};
      if (said != "same") setup = said;
      if (setup.is_null()) {
        to.run(id, one, [&]() -> std::optional<difference> {
          throw malformed{said.is_null() ? "'setup' is missing"
                                         : "'same' is the setup of the entry before; no entry before it has one"};
        });
      } else if (is_situation(setup)) {
        to.run(id, one, [&] { return replay_acquire(file, one, setup); });
      } else {
        to.skip(id, one, "described in words: its 'setup' is not known");
      }
    }
  }
  skip_others(file, {"end_to_end", "measured_rate", "set_rate", "acquire"}, to);
}

}  // namespace replay
