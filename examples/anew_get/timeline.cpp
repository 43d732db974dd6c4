// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/policies/observer/timeline.hpp"

#include "timeline.hpp"

namespace anew_get {

namespace {

constexpr std::size_t number_width = 3;
constexpr std::size_t at_width = 9;
constexpr std::size_t margin_width = 6;  // of the chart

/// The columns of the table; with the gaps and eight for the quota as many as a line has.
struct table_widths {
  std::size_t words = 31;
  std::size_t verdict = 26;
  std::size_t wait = 18;
  std::size_t chart = 84;
};
table_widths widths_for(paint const& how) {
  if (how.width < paint::usual_width)
    return {24, 16, 16, how.width - margin_width - 4};  // the last mark is wider than its place
  return {};
}

std::string quota_in_words(quota_state const& quota) {
  if (!quota.is_limited) return "no limit";
  if (!quota.trouble.empty()) return "Redis away";
  if (quota.is_leased) return std::to_string(quota.balance) + " leased";
  auto const balance = std::to_string(quota.balance);
  return quota.capacity ? balance + "/" + std::to_string(*quota.capacity) : balance;
}

std::string start_in_words(anew::duration at) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f s", in_milliseconds(at) / 1e3);
  return text.data();
}

/// 1, 2 or 5 times a power of ten, so that it fits about five times.
double step_of(double whole) {
  double const rough = whole / 5.5;
  double const power = std::pow(10, std::floor(std::log10(rough)));
  for (double const factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

std::string mark_in_words(double ms, double step) {
  std::array<char, 32> text{};
  if (step >= 100) {
    std::snprintf(text.data(), text.size(), "%g s", ms / 1e3);
  } else {
    std::snprintf(text.data(), text.size(), "%g ms", ms);
  }
  return text.data();
}

/// Writes `text` at `column` of a row of labels unless it would touch the one before.
void place(std::string& row, std::size_t column, std::string_view text) {
  auto const used = columns(row);
  if (used > 0 && column < used + 1) return;
  row += std::string(column - used, ' ');
  row += text;
}

enum class cell : unsigned char { nothing, wait, failed, good, deadline };

}  // namespace

std::string reason_in_words(call_report const& report, settings const& s) {
  auto const last = report.last();
  switch (report.reason()) {
    case anew::stop_reason::succeeded:
      return "fetched " + amount(last.bytes) + (last.resumed_at > 0 ? ", resumed at " + amount(last.resumed_at) : "");
    case anew::stop_reason::not_retryable: return last.words + ": another attempt cannot help";
    case anew::stop_reason::not_idempotent:
      return "not repeated: it may have taken effect, and " + report.method + " is not idempotent";
    case anew::stop_reason::deadline:
      return anew::in_words(report.end) + " of " + as_given(s.deadline.value_or(anew::duration::zero()));
    case anew::stop_reason::hint_too_long:
      return "gave up: the server asks to wait " + as_given(report.last_hint.value_or(anew::duration::zero())) +
             ", more than the " + as_given(s.longest_hint) +
             (s.by_single_options ? " of --longest-hint" : " that the strategy permits");
    default: return anew::in_words(report.end);
  }
}

void timeline::call_begins(call_begin const& call) {
  auto const wide = widths_for(paint_);
  if (!std::exchange(is_first_, false)) *out_ << '\n';
  *out_ << paint_.bold(call.method + " " + call.url) << '\n'
        << paint_.dim(right_aligned("#", number_width) + right_aligned("at", at_width) + "  " +
                      fitted("what happened", wide.words) + " " + fitted("the classifier says", wide.verdict) + " " +
                      fitted("then waits", wide.wait) + " quota")
        << '\n'
        << std::flush;
}

void timeline::attempt_ended(attempt_record const& attempt) {
  auto const wide = widths_for(paint_);
  auto words = attempt.words;
  if (attempt.succeeded) words += ", " + amount(attempt.bytes);
  auto const what = fitted(words, wide.words);
  auto const verdict = attempt.judged ? anew::in_words(attempt.judged->verdict) : std::string{};
  auto const wait = attempt.wait ? anew::in_words(*attempt.wait) : std::string{};
  *out_ << right_aligned(std::to_string(attempt.number), number_width)
        << paint_.dim(right_aligned(start_in_words(attempt.began), at_width)) << "  "
        << (attempt.succeeded ? paint_.green(what) : paint_.red(what)) << " " << fitted(verdict, wide.verdict) << " "
        << paint_.yellow(fitted(wait, wide.wait)) << " " << paint_.dim(quota_in_words(attempt.quota)) << '\n'
        << std::flush;
}

void timeline::call_ended(call_report const& report) {
  if (report.attempts.size() > 1) draw_to_scale(report);
  auto const size = counted(report.attempts.size(), "attempt");
  std::string line = reason_in_words(report, settings_) + "  (" + size + ", " + anew::in_words(report.elapsed);
  if (report.last_hint && report.reason() != anew::stop_reason::hint_too_long) {
    line += ", last hint " + as_given(*report.last_hint);
  }
  line += ")";
  line = wrapped(line, paint_.width - 4, 4);
  if (!report.quota.trouble.empty()) line += "\n    Redis is away: " + report.quota.trouble;
  *out_ << "  " << (report.succeeded() ? paint_.green("✔ " + line) : paint_.red("✘ " + line)) << "\n" << std::flush;
}

void timeline::draw_to_scale(call_report const& report) {
  auto const chart_width = widths_for(paint_).chart;
  double const elapsed = std::max(in_milliseconds(report.elapsed), 0.001);
  double whole = elapsed;
  std::optional<double> deadline;
  if (settings_.deadline) {
    double const ms = in_milliseconds(*settings_.deadline);
    if (ms <= 3 * elapsed) {  // one that is far away would leave no room for the rest
      deadline = ms;
      whole = std::max(whole, ms);
    }
  }
  auto const column_of = [&](double ms) {
    return std::min(static_cast<std::size_t>(ms / whole * static_cast<double>(chart_width - 1)), chart_width - 1);
  };

  std::vector<cell> cells(chart_width, cell::nothing);
  std::string numbers;
  auto const fill = [&](std::size_t from, std::size_t to, cell with) {
    for (std::size_t i = from; i < std::min(to, chart_width); ++i) cells[i] = with;
  };
  std::size_t drawn = 0;
  for (auto const& attempt : report.attempts) {
    auto const from = column_of(in_milliseconds(attempt.began));
    auto const to = std::max(column_of(in_milliseconds(attempt.ended)), from + 1);
    fill(drawn, from, cell::wait);
    fill(from, to, attempt.succeeded ? cell::good : cell::failed);
    place(numbers, from, std::to_string(attempt.number));
    drawn = to;
  }
  if (report.last().wait) fill(drawn, column_of(elapsed) + 1, cell::wait);  // interrupted in it
  if (deadline) {
    cells[column_of(*deadline)] = cell::deadline;
    auto const at = column_of(*deadline);
    constexpr std::string_view word = "deadline";
    place(numbers, at + 1 >= word.size() ? at + 1 - word.size() : 0, word);
  }

  std::string bar;
  for (auto const c : cells) {
    switch (c) {
      case cell::nothing: bar += ' '; break;
      case cell::wait: bar += paint_.yellow("·"); break;
      case cell::failed: bar += paint_.red("▒"); break;
      case cell::good: bar += paint_.green("█"); break;
      case cell::deadline: bar += paint_.bold("┃"); break;
    }
  }

  double const step = step_of(whole);
  std::string axis;
  std::string labels;
  for (double ms = 0; ms <= whole * 1.0001; ms += step) {
    auto const column = column_of(ms);
    axis += repeated("─", column - columns(axis)) + (axis.empty() ? "└" : "┴");
    auto const label = mark_in_words(ms, step);
    auto const half = columns(label) / 2;
    place(labels, column > half ? column - half : 0, label);
  }
  axis += repeated("─", chart_width - columns(axis));

  std::string const margin(margin_width, ' ');
  *out_ << margin << paint_.dim(numbers) << '\n'
        << margin << bar << '\n'
        << margin << paint_.dim(axis) << '\n'
        << margin << paint_.dim(labels) << '\n';
}

void failures_only::call_ended(call_report const& report) {
  if (report.succeeded()) return;
  auto const words = report.last().words;
  auto line = reason_in_words(report, settings_);
  if (!words.empty() && line.find(words) == std::string::npos) line += "; last: " + words;
  if (!report.quota.trouble.empty()) line += "; Redis is away: " + report.quota.trouble;
  *out_ << "anew-get: " << report.url << ": " << line << '\n' << std::flush;
}

}  // namespace anew_get
