// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

#include "anew/base/stop_reason.hpp"

#include "output.hpp"
#include "text.hpp"

namespace anew_fleet {

namespace {

/// The values of the seeds that have one.
struct spread {
  double least = 0;
  double middle = 0;
  double most = 0;
};

template <class Value>
spread spread_of(std::vector<result> const& results, Value value) {
  std::vector<double> all;
  all.reserve(results.size());
  for (auto const& one : results) all.push_back(value(one));
  std::erase_if(all, [](double one) { return std::isnan(one); });
  if (all.empty()) {
    constexpr auto none = std::numeric_limits<double>::quiet_NaN();
    return {none, none, none};
  }
  std::sort(all.begin(), all.end());
  return {all.front(), all[(all.size() - 1) / 2], all.back()};
}

struct column {
  char const* heading;
  char const* name;
  double row::* value;
  int width;
  int digits;
  double scale;
};
constexpr std::array columns{
    column{"calls", "calls", &row::calls, 9, 0, 1},
    column{"attempts", "attempts", &row::attempts, 9, 0, 1},
    column{"per call", "amplification", &row::amplification, 9, 2, 1},
    column{"good", "good", &row::good, 9, 0, 1},
    column{"failed", "failed", &row::failed, 9, 0, 1},
    column{"no quota", "refused_by_quota", &row::by_quota, 9, 0, 1},
    column{"under way", "under_way", &row::under_way, 10, 0, 1},
    column{"p50 ms", "p50", &row::p50, 9, 1, 1'000},
    column{"p99", "p99", &row::p99, 9, 1, 1'000},
    column{"p99.9", "p99_9", &row::p999, 9, 1, 1'000},
};

std::string cell(double value, int width, int digits) {
  char text[64];
  if (std::isnan(value)) return std::string(static_cast<std::size_t>(width) - 1, ' ') + '-';
  std::snprintf(text, sizeof text, "%*.*f", width, digits, value);
  return text;
}
constexpr std::size_t name_width = 20;

std::string checksum_text(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

/// A count without a fraction; null for what is not a number.
nlohmann::ordered_json as_json(double value, bool is_count) {
  if (is_count) return static_cast<std::int64_t>(value);
  return std::isnan(value) ? nlohmann::ordered_json{} : nlohmann::ordered_json(value);
}
nlohmann::ordered_json as_json(spread const& of, bool is_one, bool is_count) {
  if (is_one) return as_json(of.middle, is_count);
  return {{"min", as_json(of.least, is_count)},
          {"median", as_json(of.middle, is_count)},
          {"max", as_json(of.most, is_count)}};
}
constexpr std::array endings{"recovered", "failing", "too_short", "stopped"};

/// The seconds until the service has recovered, of all seeds.
std::optional<spread> recovery_of(std::vector<result> const& results) {
  for (auto const& one : results) {
    if (!one.recovery) return std::nullopt;
  }
  return spread_of(results, [](result const& one) { return *one.recovery; });
}
result const* stopped(std::vector<result> const& results) {
  auto const found = std::find_if(results.begin(), results.end(), [](result const& one) { return one.gave_up; });
  return found == results.end() ? nullptr : &*found;
}

void print_row(std::vector<result> const& results, std::size_t i, double spread::* which, std::string const& name,
               std::ostream& to) {
  to << anew_get::fitted(anew_get::printable(name), name_width);
  for (auto const& of : columns) {
    auto const all = spread_of(results, [&](result const& one) { return one.rows[i].*of.value; });
    to << cell(of.scale * (all.*which), of.width, of.digits);
  }
  to << '\n';
}

void print_recovery(scenario_file const& file, std::vector<result> const& results, std::ostream& to) {
  auto const ended = [&results](ending how) {
    return std::count_if(results.begin(), results.end(), [how](result const& one) { return one.end == how; });
  };
  auto const last = "'" + anew_get::printable(file.phases.back()) + "'";
  auto const* const again = file.phases.size() == 1 ? "" : " again";
  if (auto const all = recovery_of(results)) {
    to << "99 % of the calls succeed from " << cell(all->middle, 0, 1) << " s of " << last << " on";
    if (results.size() > 1) to << " (" << cell(all->least, 0, 1) << " to " << cell(all->most, 0, 1) << " s)";
    to << ".\n";
  } else if (results.size() > 1) {
    to << "With " << ended(ending::recovered) << " of " << results.size() << " seeds 99 % of the calls succeed" << again
       << " in " << last << ".\n";
  } else if (ended(ending::failing) != 0) {
    to << "99 % of the calls do not succeed" << again << " in " << last << ".\n";
  }
  if (auto const n = ended(ending::too_short); n != 0) {
    to << last << " is too short to tell whether 99 % of the calls succeed" << again;
    if (results.size() > 1) to << " with " << n << " of the seeds";
    to << ": they must for 10s, before the last " << anew_get::as_given(2 * file.of.timeout) << " (two time-outs).\n";
  }
}

}  // namespace

void print_event(fleet_simulation::event_log::event const& one, std::ostream& to) {
  using what = fleet_simulation::event_log::what;
  constexpr std::array kinds{"call", "attempt", "answer", "end", "phase", "cancel"};
  char text[64];
  std::snprintf(text, sizeof text, "%lld.%09lld %s", static_cast<long long>(one.at / 1'000'000'000),
                static_cast<long long>(one.at % 1'000'000'000), kinds[static_cast<std::size_t>(one.of)]);
  to << text << ' ' << one.who;
  if (one.of == what::attempt && one.more != 0) to << " layer " << one.more;
  if (one.of == what::answer)
    to << (one.more == 0 ? " good" : " error ") << (one.more == 0 ? "" : std::to_string(one.more - 1));
  if (one.of == what::end) to << ' ' << anew::to_string(static_cast<anew::stop_reason>(one.more));
  to << '\n';
}

void print_progress(double share, std::ostream& to) {
  constexpr std::size_t width = 40;
  auto const done = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * width);
  to << "\r[" << std::string(done, '#') << std::string(width - done, ' ') << "] " << cell(100 * share, 3, 0) << " %"
     << std::flush;
}
void clear_progress(std::ostream& to) { to << "\r\033[K" << std::flush; }

void print_text(scenario_file const& file, std::vector<result> const& results, std::ostream& to) {
  to << anew_get::printable(file.path + (file.title.empty() ? "" : ": " + file.title)) << '\n'
     << anew_get::printable(file.strategy) << '\n';
  if (!file.of.hedging.empty()) to << anew_get::printable(file.of.hedging) << '\n';
  bool const is_one = results.size() == 1;
  if (!is_one) to << results.size() << " seeds: the least, the middle and the largest value of each\n";
  to << std::string(name_width, ' ');
  for (auto const& of : columns)
    to << std::string(static_cast<std::size_t>(of.width) - std::string{of.heading}.size(), ' ') << of.heading;
  to << '\n';
  for (std::size_t i = 0; i != results.front().rows.size(); ++i) {
    auto const& name = results.front().rows[i].name;
    if (is_one) {
      print_row(results, i, &spread::middle, name, to);
    } else {
      print_row(results, i, &spread::least, name, to);
      print_row(results, i, &spread::middle, "", to);
      print_row(results, i, &spread::most, "", to);
    }
  }
  print_recovery(file, results, to);
  auto const& layers = results.front().attempts_of_layers;
  for (std::size_t i = 0; i != layers.size(); ++i) {
    auto const all = spread_of(results, [i](result const& one) { return one.attempts_of_layers[i]; });
    to << "Layer " << i + 1 << " gets " << cell(all.middle, 0, 0) << " attempts.\n";
  }
  if (auto const* const one = stopped(results)) {
    to << "Stopped at " << cell(*one->gave_up, 0, 1) << " s with the seed " << one->seed
       << ": more than 500000 calls were under way, or there were more than 500000000 events.\n";
  }
  if (is_one) to << "Checksum of the events: " << checksum_text(results.front().checksum) << '\n';
}

std::string json_of(scenario_file const& file, std::vector<result> const& results) {
  bool const is_one = results.size() == 1;
  nlohmann::ordered_json all{{"file", file.path}, {"title", file.title}, {"strategy", file.strategy}};
  if (!file.of.hedging.empty()) all["hedging"] = file.of.hedging;
  for (auto const& one : results) {
    all["seeds"].push_back({{"seed", one.seed},
                            {"events", one.events},
                            {"log_checksum", checksum_text(one.checksum)},
                            {"recovery", endings[static_cast<std::size_t>(one.end)]}});
  }
  auto const recovery = recovery_of(results);
  all["recovery_seconds"] = recovery ? as_json(*recovery, is_one, false) : nullptr;
  auto const* const too_many = stopped(results);
  all["stopped_at_seconds"] = too_many != nullptr ? nlohmann::ordered_json(*too_many->gave_up) : nullptr;
  all["attempts_of_layers"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i != results.front().attempts_of_layers.size(); ++i) {
    all["attempts_of_layers"].push_back(
        as_json(spread_of(results, [i](result const& one) { return one.attempts_of_layers[i]; }), is_one, true));
  }
  for (std::size_t i = 0; i != results.front().rows.size(); ++i) {
    auto const& first = results.front().rows[i];
    nlohmann::ordered_json one{{"name", first.name}, {"begin_seconds", first.begin}, {"end_seconds", first.end}};
    for (auto const& of : columns) {
      one[of.name] =
          as_json(spread_of(results, [&](result const& r) { return r.rows[i].*of.value; }), is_one, of.digits == 0);
    }
    all["rows"].push_back(std::move(one));
  }
  return all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace anew_fleet
