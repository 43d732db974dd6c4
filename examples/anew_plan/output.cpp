// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "instant.hpp"
#include "output.hpp"
#include "text.hpp"

namespace anew_plan {

namespace {

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}
std::string percent(double share) { return decimal(100 * share, 0) + " %"; }
std::string seconds(double value) { return decimal(value, 1) + " s"; }
std::string milliseconds(double value) {
  auto const ms = 1'000 * value;
  return decimal(ms, ms < 1 ? 3 : ms < 100 ? 1 : 0);
}
std::string time_of(anew::duration d) {
  auto const value = seconds_of(d.count());
  auto const digits = [](double n) { return n == std::floor(n) ? 0 : 3; };
  return value < 1 ? decimal(1'000 * value, digits(1'000 * value)) + " ms" : decimal(value, digits(value)) + " s";
}

/// In lines of 80 columns, of which all begin with blanks.
void print_wrapped(std::string_view text, std::ostream& to) { to << "  " << anew_get::wrapped(text, 78, 4) << '\n'; }

void print_recovery(verdict const& v, std::ostream& to) {
  if (v.how == outcome::holds_down) {
    print_wrapped("It HOLDS THE SERVICE DOWN: after the outage, retries keep it overloaded.", to);
  } else if (v.how == outcome::recovers_slowly) {
    print_wrapped("It recovers slowly, not within the " + decimal(v.simulated_seconds, 0) +
                      " s that were simulated. The calls come close to the capacity; retries do not keep it down.",
                  to);
  } else {
    print_wrapped(*v.recovery_seconds < 0.05 ? "It recovers at once when the outage ends."
                                             : "It recovers " + seconds(*v.recovery_seconds) + " after the outage.",
                  to);
  }
  if (v.seeds_that_hold_down == 1 || v.seeds_that_hold_down == 2) {
    print_wrapped("That is by chance: " + std::to_string(v.seeds_that_hold_down) +
                      " of 3 seeds hold the service down, the others do not.",
                  to);
  }
  print_wrapped(v.holds_down_from_load
                    ? "It holds the service down from " + percent(*v.holds_down_from_load) + " load on; yours is " +
                          percent(v.load) + "."
                    : "It holds the service down at no load below the capacity; yours is " + percent(v.load) + ".",
                to);
}

void print_calls(verdict const& v, std::ostream& to) {
  auto text = "In the outage it makes " + decimal(v.amplification, 2) + " attempts per call. In it and in the " +
              decimal(v.counted_seconds, 0) + " s after it, " + std::to_string(v.calls_lost) + " calls fail";
  if (v.calls_not_ended != 0) text += ", and " + std::to_string(v.calls_not_ended) + " do not end";
  print_wrapped(text + ".", to);
}

void print_arithmetic(verdict const& v, std::ostream& to) {
  auto const& of = v.by_arithmetic;
  std::string text = "By arithmetic: ";
  if (of.nothing_times_out) {
    text += "recovers at once (nothing times out in the outage).";
  } else {
    text += of.recovery_seconds ? "recovers in " + seconds(*of.recovery_seconds) : "never recovers";
    text += " (" + decimal(of.retries_in_outage, 1) + " retries of each client in the outage, then " +
            (std::isfinite(of.retries_per_call) ? decimal(of.retries_per_call, 2) + " per call)." : "without end).");
  }
  print_wrapped(text + (v.disagrees() ? " The simulation disagrees: trust it more." : ""), to);
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
  print_wrapped(v.wait
                    ? "A call whose attempts all time out waits between them, in ms: p50 " + milliseconds(v.wait->p50) +
                          ", p99 " + milliseconds(v.wait->p99) + ", longest " + milliseconds(v.wait->longest) + "."
                    : "A call whose attempts all time out does not end.",
                to);
}

void print_one(verdict const& v, std::uint32_t clients, std::ostream& to) {
  if (!v.name.empty()) to << v.name << ":\n  ";
  to << v.strategy << '\n';
  print_wrapped("It promises " + v.promises + ".", to);
  if (v.simulated_clients != clients) {
    to << "  Simulated " << v.simulated_clients << " of the clients, with their share of the capacity.\n";
  }
  print_recovery(v, to);
  print_calls(v, to);
  print_arithmetic(v, to);
  print_latencies(v, to);
  to << "  In healthy times, at 2 % errors, it loses " << decimal(v.lost_in_health, 0) << " of 100000 calls.\n";
  if (!v.changes.empty()) to << "  What to change (each was simulated again, with three seeds):\n";
  for (auto const& one : v.changes) {
    to << "    * " << one.what << ":\n        " << one.strategy << "\n        recovers in "
       << seconds(one.recovery_seconds) << ", and loses " << decimal(one.lost_in_health, 0)
       << " of 100000 calls in healthy times\n";
  }
  for (auto const& one : v.warnings) print_wrapped("Warning: " + one, to);
}

nlohmann::ordered_json number_or_null(std::optional<double> const& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}
nlohmann::ordered_json as_json(latencies const& of) {
  if (of.p999 == 0) return {{"p50", nullptr}, {"p99", nullptr}, {"p99_9", nullptr}};
  return {{"p50", of.p50}, {"p99", of.p99}, {"p99_9", of.p999}};
}

nlohmann::ordered_json as_json(std::optional<waits> const& of) {
  if (!of) return nullptr;
  return {{"p50", of->p50}, {"p99", of->p99}, {"p99_9", of->p999}, {"longest", of->longest}};
}

char const* word_for(outcome how) {
  return how == outcome::recovers ? "recovers" : how == outcome::holds_down ? "holds_down" : "recovers_slowly";
}

nlohmann::ordered_json as_json(verdict const& v) {
  nlohmann::ordered_json one{
      {"name", v.name.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(v.name)},
      {"strategy", v.strategy},
      {"promises", v.promises},
      {"verdict", word_for(v.how)},
      {"seeds_that_hold_down", v.seeds_that_hold_down},
      {"recovery_seconds", number_or_null(v.recovery_seconds)},
      {"load", v.load},
      {"simulated_clients", v.simulated_clients},
      {"holds_down_from_load", number_or_null(v.holds_down_from_load)},
      {"amplification", v.amplification},
      {"counted_seconds", v.counted_seconds},
      {"calls_lost", v.calls_lost},
      {"calls_not_ended", v.calls_not_ended},
      {"lost_in_health", v.lost_in_health},
      {"latency_seconds",
       {{"before", as_json(v.before)}, {"in_outage", as_json(v.in_outage)}, {"after", as_json(v.after)}}},
      {"wait_seconds", as_json(v.wait)},
      {"closed_form",
       {{"recovery_seconds", number_or_null(v.by_arithmetic.recovery_seconds)},
        {"holds_down_from_load", number_or_null(v.by_arithmetic.holds_down_from_load)},
        {"nothing_times_out", v.by_arithmetic.nothing_times_out},
        {"disagrees", v.disagrees()}}},
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
  to << anew_get::wrapped(std::to_string(of.clients) + (of.clients == 1 ? " client, " : " clients, ") +
                              decimal(of.rate, of.rate < 1 ? 3 : 1) + " calls a second each, on a service of " +
                              decimal(of.capacity, 0) + " attempts a second (" + percent(of.load()) +
                              " load); time-out " + time_of(of.timeout) + "; an outage of " + time_of(of.outage) +
                              " with " + percent(of.remaining) + " of the capacity.",
                          80, 0)
     << '\n';
  for (auto const& v : verdicts) {
    to << '\n';
    print_one(v, of.clients, to);
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
