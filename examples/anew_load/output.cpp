// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <ostream>
#include <string>
#include <string_view>

#include "output.hpp"
#include "words.hpp"

namespace anew_load {

namespace {

class table {
 public:
  table(std::ostream& out, anew_get::paint colours) : out_{out}, colours_{colours} {}

  void row(std::string_view name, std::string const& value, std::string const& more) const {
    out_ << anew_get::fitted(name, 13) << anew_get::right_aligned(value, 12) << more << '\n';
  }
  void row(std::string_view name, std::uint64_t value, std::string const& more) const {
    row(name, grouped(value), more);
  }
  void row_if(std::string_view name, std::uint64_t value, std::string const& more) const {
    if (value != 0) row(name, value, more);
  }
  void took(latencies const& by, std::string const& more) const {
    out_ << "took       ";
    for (auto const& [name, share] : quantiles) {
      out_ << "  " << name << ' ' << colours_.bold(time_words(by.quantile(share)));
    }
    out_ << "  max " << colours_.bold(time_words(by.most())) << '\n' << anew_get::repeated(" ", 13) << more << '\n';
  }

 private:
  std::ostream& out_;
  anew_get::paint colours_;
};

std::string failed_words(strategy_report const& report) {
  auto const why = most_first(by_name(report.gave_up));
  auto const last = most_first(by_name(report.of.last_failures));
  std::string text;
  if (!why.empty()) text.append("   because of: ").append(why);
  if (!last.empty()) text.append(why.empty() ? "   " : "; ").append("last answers: ").append(last);
  return text;
}

std::string attempt_words(strategy_report const& report) {
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
  std::string text = report.urls.size() == 1 ? report.url : anew_get::counted(report.urls.size(), "URL");
  text.append(", ").append(anew_get::counted(s.calls, "call")).append(" at once, ");
  text.append(anew_get::counted(s.threads, "thread"));
  if (!s.rate.empty()) text.append(", ").append(rate_words(s.rate)).append(" arrive a second");
  text.append(", measured for ").append(number(std::chrono::duration<double>{report.took}.count(), 2)).append(" s");
  if (report.interrupted) text.append(", interrupted");
  return text;
}

std::string timing_words(settings const& s) {
  return !s.rate.empty() ? "from when a call should have begun: a pause of the server counts (no coordinated omission)"
                         : "from when a call began: calls that a pause of the server kept from beginning are missing; "
                           "--rate counts them";
}

void print_strategy(strategy_report const& report, load_report const& all, settings const& s, table const& to) {
  auto const& of = report.of;
  to.row("calls", of.calls(), "   " + number(all.per_second(of.calls()), 1) + " a second");
  to.row("  ok", of.good, "");
  to.row("  failed", of.failed, failed_words(report));
  to.row_if("unfinished", of.unfinished, "   cut short at the end; not among the calls");
  to.row_if("not begun", of.not_begun, "   had arrived and found no free worker until the end");
  if (of.calls() != 0) to.took(of.took, timing_words(s));
  to.row("attempts", of.attempts.begun, attempt_words(report));
  auto const ended = most_first(by_name(of.attempts.ended));
  if (!ended.empty()) to.row("  ended", "", "   " + ended);
  to.row("requests", of.attempts.requests, "   sent");
  if (report.quota.is_limited) {
    auto const capacity = report.quota.capacity ? " of " + grouped(*report.quota.capacity) : "";
    to.row("quota", report.quota.balance, "   left" + capacity);
  }
  to.row("connections", of.attempts.connections, "   made");
  for (std::size_t i = 0; i != of.by_target.size(); ++i) {
    auto const& one = of.by_target[i];
    to.row("URL " + std::to_string(i + 1), one.good + one.failed,
           "   " + all.urls[i] + ": " + grouped(one.failed) + " failed, p50 " + time_words(one.took.quantile(0.5)) +
               ", p99 " + time_words(one.took.quantile(0.99)));
  }
}

void print_comparison(comparison const& by, std::ostream& out, anew_get::paint colours) {
  auto const cell = [&](std::string const& text) { out << anew_get::right_aligned(text, 11); };
  auto const value = [](compared const& one, double x) { return number(x, one.unit == "ms" ? 3 : 2); };
  out << '\n' << anew_get::fitted("", 18);
  for (auto const* const name : {"A", "B", "B - A"}) cell(name);
  out << "   95 % interval\n";
  for (auto const& one : by.all) {
    out << anew_get::fitted(one.name + ", " + one.unit, 18);
    for (auto const x : {one.a, one.b, one.b - one.a}) cell(value(one, x));
    if (one.difference) {
      auto const& within = *one.difference;
      out << "   " << value(one, within.low) << " to " << value(one, within.high)
          << (within.has_zero() ? "   no difference seen" : colours.bold("   they differ"));
    }
    out << '\n';
  }
  auto const parts = anew_get::counted(by.parts, "part") + " of " + anew_get::as_given(by.part);
  if (by.parts < comparison::least_parts) {
    out << "no intervals: the run has " << parts << ", and at least " << comparison::least_parts << " are needed\n";
  } else {
    out << "percentile bootstrap over " << parts << ", " << comparison::samples << " samples\n";
  }
}

}  // namespace

namespace {

std::string rate_words(progress const& far) {
  auto const& now = far.recent;
  auto const seconds = std::chrono::duration<double>{far.of_time}.count();
  auto const rate = static_cast<double>(now.good + now.failed) / seconds;
  std::string line = anew_get::right_aligned(number(std::chrono::duration<double>{far.since_start}.count(), 1), 6);
  line.append(" s  ").append(anew_get::right_aligned(grouped(static_cast<std::uint64_t>(rate)), 9)).append(" calls/s");
  line.append("  p50 ").append(anew_get::right_aligned(time_words(now.took.quantile(0.5)), 7));
  line.append("  p99 ").append(anew_get::right_aligned(time_words(now.took.quantile(0.99)), 7));
  line.append("  max ").append(anew_get::right_aligned(time_words(now.took.most()), 7));
  return line;
}

}  // namespace

void print_progress(progress const& far, std::ostream& out, anew_get::paint colours) {
  auto const& now = far.recent;
  out << "\r\033[K" << rate_words(far);
  if (now.failed != 0) out << "  " << colours.red(grouped(now.failed) + " failed");
  out << std::flush;
}

void print_status(progress const& far, std::ostream& out) {
  out << rate_words(far) << "  " << far.status << '\n' << std::flush;
}

void clear_progress(std::ostream& out) { out << "\r\033[K" << std::flush; }

void print_table(load_report const& report, settings const& s, std::ostream& out, anew_get::paint colours) {
  table const to{out, colours};
  bool const are_two = report.of.size() > 1;
  for (std::size_t i = 0; i != report.of.size(); ++i) {
    out << (are_two ? i == 0 ? "A: " : "B: " : "") << colours.bold(report.of[i].strategy) << '\n';
  }
  out << how_words(report, s) << "\n\n";
  for (std::size_t i = 0; i != report.of.size(); ++i) {
    if (are_two) out << (i == 0 ? "A\n" : "\nB\n");
    print_strategy(report.of[i], report, s, to);
  }
  if (report.compared) print_comparison(*report.compared, out, colours);
  to.row("processor", number(report.processor_us_per_call(), 1) + " us", "   a call, of the threads that call");
  if (report.server) {
    to.row("the server", report.server->requests,
           "   requests seen, over " + grouped(report.server->connections) +
               (report.server->connections == 1 ? " connection" : " connections"));
  }
}

void warn_of_refused_certificates(load_report const& report, std::ostream& out) {
  for (auto const& one : report.of) {
    if (one.of.attempts.refusal.empty()) continue;
    out << "anew-load: the certificate was refused: " << one.of.attempts.refusal
        << "; --cacert FILE names the authorities that you trust\n";
    return;
  }
}

void warn_of_missing_descriptors(load_report const& report, std::ostream& out) {
  if (report.missing_descriptors() == 0) return;
  out << "anew-load: too many open files: " << anew_get::counted(report.missing_descriptors(), "attempt")
      << " got no socket; raise 'ulimit -n', which is " << ::sysconf(_SC_OPEN_MAX) << ", or lower --calls\n";
}

}  // namespace anew_load
