// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "output.hpp"

namespace anew_load {

namespace {

std::string number(double value, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

/// "12,345".
std::string grouped(std::uint64_t n) {
  auto const digits = std::to_string(n);
  std::string text;
  for (std::size_t i = 0; i != digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

/// Three digits that count, in the unit that one would say.
std::string time_words(anew::duration d) {
  auto const ns = static_cast<double>(d.count());
  auto const in = [](double value, char const* unit) {
    return number(value, value < 10 ? 2 : value < 100 ? 1 : 0) + unit;
  };
  if (ns < 1e6) return in(ns / 1e3, " us");
  return ns < 1e9 ? in(ns / 1e6, " ms") : in(ns / 1e9, " s");
}

constexpr std::array quantiles{std::pair{"p50", 0.5}, std::pair{"p90", 0.9}, std::pair{"p99", 0.99},
                               std::pair{"p99.9", 0.999}};

/// "503 40, not in time 16": the most frequent first.
std::string most_first(std::vector<std::pair<std::string, std::uint64_t>> all) {
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::string text;
  for (auto const& [words, n] : all) {
    if (n != 0) text.append(text.empty() ? "" : ", ").append(words).append(" ").append(grouped(n));
  }
  return text;
}

std::vector<std::pair<std::string, std::uint64_t>> by_name(endings::counts const& gave_up) {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  for (std::size_t i = 0; i != gave_up.size(); ++i) {
    if (gave_up[i] != 0) all.emplace_back(to_string(static_cast<anew::stop_reason>(i)), gave_up[i]);
  }
  return all;
}

std::string failed_words(load_report const& report) {
  auto const why = most_first(by_name(report.gave_up));
  auto const last = most_first({report.of.last_failures.begin(), report.of.last_failures.end()});
  std::string text;
  if (!why.empty()) text.append("   because of: ").append(why);
  if (!last.empty()) text.append(why.empty() ? "   " : "; ").append("last answers: ").append(last);
  return text;
}

std::string attempt_words(load_report const& report) {
  std::string text;
  text.append("   ").append(number(report.extra_percent(), 2)).append(" % extra: ").append(grouped(report.retries()));
  text.append(" retries");
  if (report.hedges) {
    auto const& hedges = report.of.hedges;
    text.append(", ").append(grouped(hedges.made)).append(" hedges, of which ").append(grouped(hedges.won));
    text.append(" won; ").append(grouped(hedges.refused)).append(" were refused");
  }
  return text;
}

std::string how_words(load_report const& report, settings const& s) {
  std::string text = report.url;
  text.append(", ").append(anew_get::counted(s.calls, "call")).append(" at once, ");
  text.append(anew_get::counted(s.threads, "thread"));
  if (s.rate) text.append(", ").append(number(*s.rate, *s.rate < 10 ? 2 : 0)).append(" arrive a second");
  return text;
}

}  // namespace

void print_progress(progress const& far, std::ostream& out, anew_get::paint colours) {
  auto const& now = far.recent;
  auto const seconds = std::chrono::duration<double>{far.of_time}.count();
  auto const rate = static_cast<double>(now.good + now.failed) / seconds;
  std::string line = anew_get::right_aligned(number(std::chrono::duration<double>{far.since_start}.count(), 1), 6);
  line.append(" s  ").append(anew_get::right_aligned(grouped(static_cast<std::uint64_t>(rate)), 9)).append(" calls/s");
  line.append("  p50 ").append(anew_get::right_aligned(time_words(now.took.quantile(0.5)), 7));
  line.append("  p99 ").append(anew_get::right_aligned(time_words(now.took.quantile(0.99)), 7));
  line.append("  max ").append(anew_get::right_aligned(time_words(now.took.most()), 7));
  out << "\r\033[K" << line;
  if (now.failed != 0) out << "  " << colours.red(grouped(now.failed) + " failed");
  out << std::flush;
}

void clear_progress(std::ostream& out) { out << "\r\033[K" << std::flush; }

void print_table(load_report const& report, settings const& s, std::ostream& out, anew_get::paint colours) {
  auto const& of = report.of;
  auto const row = [&](std::string_view name, std::string const& value, std::string const& more) {
    out << anew_get::fitted(name, 13) << anew_get::right_aligned(value, 12) << more << '\n';
  };
  out << colours.bold(report.strategy) << '\n'
      << how_words(report, s) << ", measured for " << number(std::chrono::duration<double>{report.took}.count(), 2)
      << " s" << (report.interrupted ? ", interrupted" : "") << "\n\n";
  row("calls", grouped(of.calls()),
      std::string{"   "}.append(number(report.calls_per_second(), 1)).append(" a second"));
  row("  ok", grouped(of.good), "");
  row("  failed", grouped(of.failed), failed_words(report));
  if (of.unfinished != 0) row("unfinished", grouped(of.unfinished), "   cut short at the end; not among the calls");
  if (of.not_begun != 0)
    row("not begun", grouped(of.not_begun), "   had arrived and found no free worker until the end");
  if (of.calls() != 0) {
    out << "took       ";
    for (auto const& [name, share] : quantiles) {
      out << "  " << name << ' ' << colours.bold(time_words(of.took.quantile(share)));
    }
    out << "  max " << colours.bold(time_words(of.took.most()))
        << (s.rate ? "   from when a call should have begun" : "") << '\n';
  }
  row("attempts", grouped(of.attempts), attempt_words(report));
  row("requests", grouped(of.requests), "   sent");
  if (report.quota.is_limited) {
    auto const capacity = report.quota.capacity ? std::string{" of "}.append(grouped(*report.quota.capacity)) : "";
    row("quota", grouped(report.quota.balance), std::string{"   left"}.append(capacity));
  }
  row("connections", grouped(of.connections), "   made");
  row("processor", number(report.processor_us_per_call(), 1) + " us", "   a call, of the threads that call");
  if (report.server) {
    row("the server", grouped(report.server->requests),
        std::string{"   requests seen, over "}
            .append(grouped(report.server->connections))
            .append(report.server->connections == 1 ? " connection" : " connections"));
  }
}

void print_json(load_report const& report, settings const& s, std::ostream& out) {
  using nlohmann::ordered_json;
  auto const ms = [](anew::duration d) { return anew_get::in_milliseconds(d); };
  auto const& of = report.of;
  ordered_json gave_up = ordered_json::object();
  for (auto const& [why, n] : by_name(report.gave_up)) gave_up[why] = n;
  ordered_json last = ordered_json::object();
  for (auto const& [words, n] : of.last_failures) last[words] = n;
  ordered_json line{{"strategy", report.strategy},
                    {"url", report.url},
                    {"calls_at_once", s.calls},
                    {"threads", s.threads},
                    {"rate", s.rate ? ordered_json(*s.rate) : ordered_json(nullptr)},
                    {"interrupted", report.interrupted},
                    {"seconds", std::chrono::duration<double>{report.took}.count()},
                    {"calls", of.calls()},
                    {"ok", of.good},
                    {"failed", of.failed},
                    {"unfinished", of.unfinished},
                    {"not_begun", of.not_begun},
                    {"calls_per_s", report.calls_per_second()},
                    {"gave_up", std::move(gave_up)},
                    {"last_failures", std::move(last)},
                    {"latency_ms",
                     {{"p50", ms(of.took.quantile(0.5))},
                      {"p90", ms(of.took.quantile(0.9))},
                      {"p99", ms(of.took.quantile(0.99))},
                      {"p99_9", ms(of.took.quantile(0.999))},
                      {"max", ms(of.took.most())},
                      {"mean", ms(of.took.mean())}}},
                    {"latency_from", s.rate ? "intended" : "start"},
                    {"attempts", of.attempts},
                    {"requests", of.requests},
                    {"retries", report.retries()},
                    {"extra_percent", report.extra_percent()},
                    {"hedges", nullptr},
                    {"quota", nullptr},
                    {"connections", of.connections},
                    {"missing_descriptors", of.missing_descriptors},
                    {"processor_us_per_call", report.processor_us_per_call()},
                    {"server", nullptr}};
  if (report.hedges) {
    line["hedges"] = {{"made", of.hedges.made}, {"refused", of.hedges.refused}, {"won", of.hedges.won}};
  }
  if (report.quota.is_limited) {
    line["quota"] = {
        {"balance", report.quota.balance},
        {"capacity", report.quota.capacity ? ordered_json(*report.quota.capacity) : ordered_json(nullptr)}};
  }
  if (report.server) {
    line["server"] = {{"requests", report.server->requests}, {"connections", report.server->connections}};
  }
  // Whatever the command line says is in it, and that need not be text.
  out << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

void warn_of_missing_descriptors(load_report const& report, std::ostream& out) {
  if (report.of.missing_descriptors == 0) return;
  out << "anew-load: too many open files: " << anew_get::counted(report.of.missing_descriptors, "attempt")
      << " got no socket; raise 'ulimit -n', which is " << ::sysconf(_SC_OPEN_MAX) << ", or lower --calls\n";
}

}  // namespace anew_load
