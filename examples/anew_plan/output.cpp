// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "instant.hpp"
#include "output.hpp"

namespace anew_plan {

namespace {

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}
std::string percent(double share) { return decimal(100 * share, 0) + " %"; }
std::string seconds(double value) { return decimal(value, 1) + " s"; }
std::string milliseconds(double value) { return decimal(1'000 * value, value < 0.1 ? 1 : 0); }
std::string time_of(anew::duration d) {
  return decimal(seconds_of(d.count()), d.count() % 1'000'000'000 == 0 ? 0 : 3) + " s";
}

void print_recovery(verdict const& v, std::ostream& to) {
  if (v.holds_down()) {
    to << "  It HOLDS THE SERVICE DOWN: after the outage, calls with their retries keep it overloaded.\n";
  } else {
    to << "  It recovers " << seconds(*v.recovery_seconds) << " after the outage.\n";
  }
  if (v.holds_down_from_load) {
    to << "  It holds the service down from " << percent(*v.holds_down_from_load) << " load on; yours is "
       << percent(v.load) << ".\n";
  } else {
    to << "  It holds the service down at no load below the capacity; yours is " << percent(v.load) << ".\n";
  }
}

/// A difference between arithmetic and simulation is a warning: one of them misses something.
void print_arithmetic(verdict const& v, std::ostream& to) {
  auto const& expected = v.by_arithmetic.recovery_seconds;
  to << "  By arithmetic: " << (expected ? "recovers in " + seconds(*expected) : "never recovers") << " ("
     << decimal(v.by_arithmetic.retries_in_outage, 1) << " retries of each client in the outage, then "
     << decimal(v.by_arithmetic.retries_per_call, 2) << " per call).";
  bool const differs =
      expected.has_value() == v.holds_down() ||
      (expected && std::abs(*expected - *v.recovery_seconds) > 3 + 0.1 * std::max(*expected, *v.recovery_seconds));
  to << (differs ? " The simulation disagrees: trust it more.\n" : "\n");
}

void print_latencies(verdict const& v, std::ostream& to) {
  to << "  Calls that succeed take, in ms:     p50      p99    p99.9\n";
  auto const row = [&](char const* when, latencies const& of) {
    char line[80];
    std::snprintf(line, sizeof line, "    %-28s %7s %8s %8s\n", when, milliseconds(of.p50).c_str(),
                  milliseconds(of.p99).c_str(), milliseconds(of.p999).c_str());
    to << (of.p999 == 0 ? std::string{"    "} + when + ": none succeeds\n" : line);
  };
  row("before the outage", v.before);
  row("begun in the outage", v.in_outage);
  row("begun after it", v.after);
  to << "  A call whose attempts all time out waits between them, in ms: p50 " << milliseconds(v.wait.p50) << ", p99 "
     << milliseconds(v.wait.p99) << ", longest " << milliseconds(v.wait.longest) << ".\n";
}

/// At most 110 characters to a line.
void print_warning(std::string_view sentence, std::ostream& to) {
  std::string_view indent = "  Warning: ";
  while (!sentence.empty()) {
    auto const room = 110 - indent.size();
    auto const end = sentence.size() <= room ? sentence.size() : sentence.rfind(' ', room);
    to << indent << sentence.substr(0, end) << '\n';
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
    indent = "    ";
  }
}

void print_one(verdict const& v, std::ostream& to) {
  to << v.strategy << '\n';
  print_recovery(v, to);
  to << "  In the outage it makes " << decimal(v.amplification, 2) << " attempts per call. " << v.calls_lost
     << " calls fail in it and after it.\n";
  print_arithmetic(v, to);
  print_latencies(v, to);
  to << "  In healthy times, at 2 % errors, it loses " << decimal(v.lost_in_health, 0) << " of 100000 calls.\n";
  if (!v.changes.empty()) to << "  What to change (each was simulated again):\n";
  for (auto const& one : v.changes) {
    to << "    * " << one.what << ":\n        " << one.strategy << "\n        recovers in "
       << seconds(one.recovery_seconds) << ", and loses " << decimal(one.lost_in_health, 0)
       << " of 100000 calls in healthy times\n";
  }
  for (auto const& one : v.warnings) print_warning(one, to);
}

nlohmann::ordered_json number_or_null(std::optional<double> const& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}
nlohmann::ordered_json as_json(latencies const& of) { return {{"p50", of.p50}, {"p99", of.p99}, {"p99_9", of.p999}}; }

nlohmann::ordered_json as_json(verdict const& v) {
  nlohmann::ordered_json one{
      {"strategy", v.strategy},
      {"verdict", v.holds_down() ? "holds_down" : "recovers"},
      {"recovery_seconds", number_or_null(v.recovery_seconds)},
      {"load", v.load},
      {"simulated_clients", v.simulated_clients},
      {"holds_down_from_load", number_or_null(v.holds_down_from_load)},
      {"amplification", v.amplification},
      {"calls_lost", v.calls_lost},
      {"lost_in_health", v.lost_in_health},
      {"latency_seconds",
       {{"before", as_json(v.before)}, {"in_outage", as_json(v.in_outage)}, {"after", as_json(v.after)}}},
      {"wait_seconds", {{"p50", v.wait.p50}, {"p99", v.wait.p99}, {"p99_9", v.wait.p999}, {"longest", v.wait.longest}}},
      {"closed_form",
       {{"recovery_seconds", number_or_null(v.by_arithmetic.recovery_seconds)},
        {"holds_down_from_load", number_or_null(v.by_arithmetic.holds_down_from_load)}}},
      {"changes", nlohmann::ordered_json::array()},
      {"warnings", v.warnings},
  };
  for (auto const& change : v.changes) {
    one["changes"].push_back({{"what", change.what},
                              {"strategy", change.strategy},
                              {"recovery_seconds", change.recovery_seconds},
                              {"lost_in_health", change.lost_in_health}});
  }
  return one;
}

}  // namespace

void print_text(std::vector<verdict> const& verdicts, settings const& s, std::ostream& to) {
  auto const& of = s.of;
  to << of.clients << (of.clients == 1 ? " client" : " clients") << ", " << decimal(of.rate, of.rate < 1 ? 3 : 1)
     << " calls a second each, on a service of " << decimal(of.capacity, 0) << " attempts a second ("
     << percent(of.load()) << " load); time-out " << time_of(of.timeout) << ";\nan outage of " << time_of(of.outage)
     << " with " << percent(of.remaining) << " of the capacity.\n";
  if (auto const clients = verdicts.front().simulated_clients; clients != of.clients) {
    to << clients << " of the clients were simulated, on their share of the capacity.\n";
  }
  for (auto const& v : verdicts) {
    to << '\n';
    print_one(v, to);
  }
}

void print_json(std::vector<verdict> const& verdicts, settings const& s, std::ostream& to) {
  if (!s.compares) {
    to << as_json(verdicts.front()).dump() << '\n';
    return;
  }
  auto all = nlohmann::ordered_json::array();
  for (auto const& v : verdicts) all.push_back(as_json(v));
  to << all.dump() << '\n';
}

}  // namespace anew_plan
