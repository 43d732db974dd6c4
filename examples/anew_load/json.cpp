// SPDX-License-Identifier: BSL-1.0
#include <ostream>

#include <nlohmann/json.hpp>

#include "output.hpp"
#include "words.hpp"

namespace anew_load {

namespace {

using nlohmann::ordered_json;

double ms(anew::duration d) { return anew_get::in_milliseconds(d); }

ordered_json members(named_counts const& counts) {
  auto made = ordered_json::object();
  for (auto const& [name, n] : counts) made[name] = n;
  return made;
}

ordered_json times(latencies const& took) {
  return {{"p50", ms(took.quantile(0.5))},     {"p90", ms(took.quantile(0.9))}, {"p99", ms(took.quantile(0.99))},
          {"p99_9", ms(took.quantile(0.999))}, {"max", ms(took.most())},        {"mean", ms(took.mean())}};
}

ordered_json of_strategy(strategy_report const& report, load_report const& all, settings const& s) {
  auto const& of = report.of;
  ordered_json made{{"calls", of.calls()},
                    {"ok", of.good},
                    {"failed", of.failed},
                    {"unfinished", of.unfinished},
                    {"not_begun", of.not_begun},
                    {"calls_per_s", all.per_second(of.calls())},
                    {"gave_up", members(by_name(report.gave_up))},
                    {"last_failures", members(by_name(of.last_failures))},
                    {"latency_ms", times(of.took)},
                    {"latency_from", s.rate.empty() ? "start" : "intended"},
                    {"attempts", of.attempts.begun},
                    {"attempt_ends", members(by_name(of.attempts.ended))},
                    {"requests", of.attempts.requests},
                    {"retries", report.retries()},
                    {"extra_percent", report.extra_percent()},
                    {"hedges", nullptr},
                    {"quota", nullptr},
                    {"connections", of.attempts.connections},
                    {"missing_descriptors", of.attempts.missing_descriptors},
                    {"urls", nullptr}};
  for (std::size_t i = 0; i != of.by_target.size(); ++i) {
    auto const& one = of.by_target[i];
    made["urls"].push_back({{"url", all.urls[i]},
                            {"calls", one.good + one.failed},
                            {"failed", one.failed},
                            {"latency_ms", times(one.took)}});
  }
  if (report.hedges) {
    made["hedges"] = {{"made", of.hedges.made}, {"refused", of.hedges.refused}, {"won", of.hedges.won}};
  }
  if (report.quota.is_limited) {
    made["quota"] = {
        {"balance", report.quota.balance},
        {"capacity", report.quota.capacity ? ordered_json(*report.quota.capacity) : ordered_json(nullptr)}};
  }
  return made;
}

/// A number, where the rate stays the same.
ordered_json asked_rate(settings const& s) {
  if (s.rate.empty()) return nullptr;
  if (s.rate.size() == 1 && s.rate.front().from == s.rate.front().to) return s.rate.front().from;
  return rate_words(s.rate);
}

ordered_json of_comparison(comparison const& by) {
  ordered_json made{{"interval", "percentile bootstrap over parts of the run"},
                    {"confidence", 0.95},
                    {"samples", by.parts < comparison::least_parts ? 0 : comparison::samples},
                    {"parts", by.parts},
                    {"part_ms", ms(by.part)}};
  for (auto const& one : by.all) {
    auto& member = made[one.unit == "ms" ? one.name + "_ms" : one.unit == "%" ? one.name + "_percent" : one.name];
    member = {{"a", one.a}, {"b", one.b}, {"difference", one.b - one.a}, {"low", nullptr}, {"high", nullptr}};
    if (one.difference) {
      member["low"] = one.difference->low;
      member["high"] = one.difference->high;
    }
  }
  return made;
}

}  // namespace

void print_json(load_report const& report, settings const& s, std::ostream& out) {
  ordered_json line{{"strategy", report.of.front().strategy},
                    {"url", report.url},
                    {"calls_at_once", s.calls},
                    {"threads", s.threads},
                    {"rate", asked_rate(s)},
                    {"interrupted", report.interrupted},
                    {"seconds", std::chrono::duration<double>{report.took}.count()}};
  if (report.compared) {
    line.erase("strategy");
    line["strategies"] = ordered_json::array();
    for (auto const& one : report.of) {
      ordered_json made{{"strategy", one.strategy}};
      made.update(of_strategy(one, report, s));
      line["strategies"].push_back(std::move(made));
    }
    line["compared"] = of_comparison(*report.compared);
  } else {
    line.update(of_strategy(report.of.front(), report, s));
  }
  line["processor_us_per_call"] = report.processor_us_per_call();
  line["server"] = nullptr;
  if (report.server) {
    line["server"] = {{"requests", report.server->requests}, {"connections", report.server->connections}};
  }
  // Whatever the command line says is in it, and that need not be text.
  out << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace anew_load
