// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "instant.hpp"
#include "page.hpp"

namespace anew_plan {

namespace {

using namespace std::chrono_literals;

// The colours of M. Okabe and K. Ito, which those who do not see red or green tell apart.
constexpr char const* style = R"(
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; font: 16px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; }
h1 { font-size: 1.4rem; margin: 0 0 .3rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; } h3 { font-size: 1rem; margin: .8rem 0 .2rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 1.5rem; }
svg { width: 100%; height: auto; display: block; } svg text { font: 11px system-ui, sans-serif; fill: #333; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid #ccc; } th:first-child, td:first-child { text-align: left; min-width: 13rem; }
.down { font-weight: bold; color: #b04a00; } .key { font-size: .85rem; margin: .1rem 0; color: #333; }
.key span { white-space: nowrap; } .key svg { display: inline-block; width: 2rem; height: .6rem; vertical-align: middle; }
@media (max-width: 45rem) {
  table, tbody, tr, td { display: block; } th { display: none; }
  td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .1rem 0; } td::before { content: attr(data-column); color: #333; text-align: left; }
  td:first-child { display: block; font-weight: bold; margin-top: .8rem; } td:first-child::before { content: none; }
}
)";
constexpr char const* attempts_colour = "#D55E00";
constexpr char const* answers_colour = "#0072B2";
constexpr char const* calls_colour = "#000000";
constexpr char const* capacity_colour = "#777777";
constexpr char const* quota_colour = "#009E73";

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}
std::string percent(double share) { return decimal(100 * share, 0) + " %"; }
/// With two digits that say something: "1.2 s", "45 s", "250 ms".
std::string time_of(double seconds) {
  if (seconds <= 0) return "0 s";
  auto const value = seconds < 1 ? 1'000 * seconds : seconds;
  bool const is_whole = std::abs(value - std::round(value)) < 1e-6;
  return decimal(value, value < 10 && !is_whole ? 1 : 0) + (seconds < 1 ? " ms" : " s");
}
std::string escaped(std::string_view text) {
  std::string result;
  for (char const c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
  }
  return result;
}

/// The least of 1, 2 and 5 times a power of ten that is not below `most / 4`.
double step_for(double most) {
  auto const least = std::max(most, 1e-9) / 4;
  auto const power = std::pow(10, std::floor(std::log10(least)));
  for (double const factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

/// A picture with two axes, 360 wide so that its text is legible on a phone.
class picture {
 public:
  static constexpr double width = 360, left = 46, right = 8, top = 8, bottom = 22;

  picture(std::ostream& to, double height, double x_from, double x_to, double y_to, std::string_view title)
      : to_{to}, height_{height}, x_from_{x_from}, x_to_{x_to}, y_to_{y_to} {
    to << "<svg viewBox=\"0 0 " << width << ' ' << height << "\" role=\"img\" aria-label=\"" << title << "\">\n";
  }
  picture(picture const&) = delete;
  picture& operator=(picture const&) = delete;
  ~picture() { to_ << "</svg>\n"; }

  [[nodiscard]] double x(double value) const {
    return left + (value - x_from_) / (x_to_ - x_from_) * (width - left - right);
  }
  [[nodiscard]] double y(double value) const { return height_ - bottom - value / y_to_ * (height_ - top - bottom); }

  void area(double from, double until, char const* fill) {
    from = std::clamp(from, x_from_, x_to_);
    until = std::clamp(until, x_from_, x_to_);
    box(x(from), top, x(until) - x(from), height_ - top - bottom, fill);
  }
  void box(double at_x, double at_y, double wide, double high, char const* fill) {
    to_ << "<rect x=\"" << decimal(at_x, 1) << "\" y=\"" << decimal(at_y, 1) << "\" width=\""
        << decimal(std::max(wide, 0.0), 1) << "\" height=\"" << decimal(std::max(high, 0.0), 1) << "\" fill=\"" << fill
        << "\"/>\n";
  }
  /// `at(i)` is the i-th of `n` points.
  template <class At>
  void line(std::size_t n, char const* colour, char const* dashes, At const& at) {
    to_ << "<polyline fill=\"none\" stroke=\"" << colour << "\" stroke-width=\"1.6\" stroke-dasharray=\"" << dashes
        << "\" points=\"";
    for (std::size_t i = 0; i != n; ++i) {
      auto const [px, py] = at(i);
      to_ << decimal(x(px), 1) << ',' << decimal(y(std::min(py, y_to_)), 1) << ' ';
    }
    to_ << "\"/>\n";
  }
  void text(double at_x, double at_y, char const* anchor, std::string const& what) {
    to_ << "<text x=\"" << decimal(at_x, 1) << "\" y=\"" << decimal(at_y, 1) << "\" text-anchor=\"" << anchor << "\">"
        << what << "</text>\n";
  }
  void tick_x(double value, std::string const& what) {
    auto const anchor = x(value) < left + 4 ? "start" : x(value) > width - right - 12 ? "end" : "middle";
    text(x(value), height_ - 8, anchor, what);
  }
  void tick_y(double value, std::string const& what) {
    rule(left, y(value), width - right, y(value));
    text(left - 4, y(value) + 4, "end", what);
  }
  void rule(double x1, double y1, double x2, double y2) {
    to_ << "<path d=\"M" << decimal(x1, 1) << ' ' << decimal(y1, 1) << 'L' << decimal(x2, 1) << ' ' << decimal(y2, 1)
        << "\" stroke=\"#ccc\" stroke-width=\"0.7\"/>\n";
  }
  void ring(double at_x, double at_y) {
    to_ << "<circle cx=\"" << decimal(at_x, 1) << "\" cy=\"" << decimal(at_y, 1)
        << "\" r=\"5\" fill=\"#fff\" stroke=\"#000\" stroke-width=\"2.5\"/>\n";
  }

 private:
  std::ostream& to_;
  double height_;
  double x_from_;
  double x_to_;
  double y_to_;
};

void key(std::ostream& to, std::initializer_list<std::array<char const*, 3>> of) {
  to << "<p class=\"key\">";
  for (auto const& [colour, dashes, what] : of) {
    to << "<span><svg viewBox=\"0 0 30 8\" aria-hidden=\"true\"><path d=\"M0 4H30\" stroke=\"" << colour
       << "\" stroke-width=\"3\" stroke-dasharray=\"" << dashes << "\"/></svg> " << what << "</span> &nbsp; ";
  }
  to << "</p>\n";
}

/// The seconds that are drawn, from the end of the outage on.
double seconds_drawn(verdict const& v, drawing const& d) {
  auto const all = seconds_of(d.of.after.count()) - 2 * seconds_of(d.of.timeout.count()) - 1;
  return std::min(all, v.recovery_seconds ? std::max(30.0, 1.3 * *v.recovery_seconds + 5) : 60.0);
}

/// Each client that was simulated stands for several.
void draw_times(verdict const& v, drawing const& d, scenario const& s, std::ostream& to) {
  auto const share = double{1} * s.clients / d.of.clients;
  auto const before = seconds_of(s.before.count());
  auto const outage = seconds_of(s.outage.count());
  auto const last = outage + seconds_drawn(v, d);
  auto const seconds = static_cast<std::size_t>(before + last);
  auto const second = [&](std::size_t i) {
    return d.found.times.sum(static_cast<instant>(i) * 1'000'000'000, static_cast<instant>(i + 1) * 1'000'000'000);
  };
  double most = s.capacity;
  for (std::size_t i = 0; i != seconds; ++i) most = std::max(most, share * second(i).attempts);

  picture p{to, 190, -before, last, 1.05 * most, "attempts, calls and answers per second over time"};
  p.area(0, outage, "#dddddd");
  auto const step = step_for(most);
  for (double y = 0; y <= most; y += step) p.tick_y(y, decimal(y, step < 1 ? 1 : 0));
  auto const step_x = step_for(last);
  for (double x = 0; x <= last; x += step_x) p.tick_x(x, time_of(x));
  std::array const capacity{std::pair{-before, s.capacity},
                            std::pair{0.0, s.capacity},
                            std::pair{0.0, s.capacity * s.remaining},
                            std::pair{outage, s.capacity * s.remaining},
                            std::pair{outage, s.capacity},
                            std::pair{last, s.capacity}};
  p.line(capacity.size(), capacity_colour, "2 3", [&](std::size_t i) { return capacity[i]; });
  auto const at = [&](std::size_t i) { return static_cast<double>(i) + 0.5 - before; };
  p.line(seconds, attempts_colour, "none", [&](std::size_t i) { return std::pair{at(i), share * second(i).attempts}; });
  p.line(seconds, calls_colour, "6 3", [&](std::size_t i) { return std::pair{at(i), share * second(i).calls}; });
  p.line(seconds, answers_colour, "none", [&](std::size_t i) { return std::pair{at(i), share * second(i).succeeded}; });
}

void draw_levels(verdict const& v, drawing const& d, std::ostream& to) {
  auto const before = seconds_of(d.of.before.count());
  auto const outage = seconds_of(d.of.outage.count());
  auto const last = outage + seconds_drawn(v, d);
  picture p{to, 84, -before, last, 1, "how full the quota is over time"};
  p.area(0, outage, "#dddddd");
  for (double const y : {0.0, 0.5, 1.0}) p.tick_y(y, percent(y));
  auto const step = step_for(last);
  for (double x = 0; x <= last; x += step) p.tick_x(x, time_of(x));
  auto const n = std::min(d.found.levels.size(), static_cast<std::size_t>(before + last));
  p.line(n, quota_colour, "none",
         [&](std::size_t i) { return std::pair{static_cast<double>(i) - before, d.found.levels[i]}; });
}

/// The share of the calls by the time that they took, in bars of a third of a decade.
void draw_latencies(drawing const& d, std::ostream& to) {
  constexpr double least = 1e-4;
  constexpr std::size_t bars = 20;
  auto const bar_of = [least](double seconds) {
    auto const at = std::floor(3 * std::log10(std::max(seconds, least) / least));
    return std::min(bars - 1, static_cast<std::size_t>(at));
  };
  auto const shares = [&](histogram const& of) {
    std::array<double, bars> result{};
    of.for_each([&](double seconds, std::uint64_t n) {
      result[bar_of(seconds)] += static_cast<double>(n) / static_cast<double>(of.size());
    });
    return result;
  };
  auto const in = shares(d.found.periods[1].took);
  auto const after = shares(d.found.periods[2].took);
  auto const most =
      std::max({0.2, *std::max_element(in.begin(), in.end()), *std::max_element(after.begin(), after.end())});
  picture p{to, 150, 0, bars, most, "the share of the calls by the time that they took"};
  auto const step = step_for(most);
  for (double y = 0; y <= most; y += step) p.tick_y(y, percent(y));
  for (std::size_t i = 0; i != bars; ++i) {
    auto const at = static_cast<double>(i);
    auto const wide = (p.x(1) - p.x(0)) * 0.42;
    p.box(p.x(at), p.y(in[i]), wide, p.y(0) - p.y(in[i]), attempts_colour);
    p.box(p.x(at) + wide, p.y(after[i]), wide, p.y(0) - p.y(after[i]), answers_colour);
  }
  for (int power = 1; power != 7; ++power) p.tick_x(3.0 * power, time_of(least * std::pow(10, power)));
}

void draw_map(drawing const& d, double load, std::ostream& to) {
  auto const rows = d.map.size();
  picture p{
      to, 30 + 24 * static_cast<double>(rows), 0,
      1,  static_cast<double>(rows),           "the loads and outages with which the strategy holds the service down"};
  for (std::size_t i = 0; i != rows; ++i) {
    auto const& [outage, from] = d.map[i];
    auto const at = static_cast<double>(i);
    auto const high = p.y(at) - p.y(at + 1) - 2;
    auto const begins = from.value_or(1);
    p.box(p.x(0), p.y(at + 1), p.x(begins) - p.x(0), high, "#cfe3f3");
    p.box(p.x(begins), p.y(at + 1), p.x(1) - p.x(begins), high, "#D55E00");
    p.text(picture::left - 4, p.y(at + 0.5) + 4, "end", time_of(seconds_of(outage.count())));
    if (outage == d.of.outage) p.ring(p.x(load), p.y(at + 0.5));
  }
  for (double const x : {0.0, 0.25, 0.5, 0.75, 1.0}) p.tick_x(x, percent(x));
}

/// The name of a preset before its text.
std::string heading_of(verdict const& v) {
  return (v.name.empty() ? "" : escaped(v.name) + ": ") + "<code>" + escaped(v.strategy) + "</code>";
}

std::string recovery_of(verdict const& v) {
  std::string text = "It recovers " + decimal(v.recovery_seconds.value_or(0), 1) + " s after the outage.";
  if (v.how == outcome::holds_down) text = "<span class=\"down\">It holds the service down.</span>";
  if (v.how == outcome::recovers_slowly) {
    text = "It recovers slowly, not within the " + decimal(v.simulated_seconds, 0) + " s that were simulated.";
  }
  if (v.seeds_that_hold_down == 1 || v.seeds_that_hold_down == 2) {
    text += " That is by chance: " + std::to_string(v.seeds_that_hold_down) + " of 3 seeds hold the service down.";
  }
  return text;
}

std::string lost_of(verdict const& v) {
  auto text = std::to_string(v.calls_lost);
  if (v.calls_not_ended != 0) text += ", and " + std::to_string(v.calls_not_ended) + " do not end";
  return text + " in " + decimal(v.counted_seconds, 0) + " s";
}

void print_table(std::vector<verdict> const& verdicts, std::ostream& to) {
  // On a phone each strategy is a block of lines, and each cell names its column.
  constexpr std::array columns{"strategy",
                               "recovers in",
                               "holds down from",
                               "attempts per call in the outage",
                               "calls that fail after the outage began",
                               "lost of 100000 in health",
                               "p99 after it"};
  to << "<table>\n<tr>";
  for (auto const* const name : columns) to << "<th>" << name << "</th>";
  to << "</tr>\n";
  for (auto const& v : verdicts) {
    std::array const cells{
        heading_of(v),
        v.holds_down() ? "<span class=\"down\">never</span>"
                       : (v.recovery_seconds ? decimal(*v.recovery_seconds, 1) + " s" : "slowly"),
        v.holds_down_from_load ? percent(*v.holds_down_from_load) + " load" : "no load",
        decimal(v.amplification, 2),
        lost_of(v),
        decimal(v.lost_in_health, 0),
        v.after.p99 == 0 ? "none succeeds" : time_of(v.after.p99),
    };
    static_assert(cells.size() == columns.size());
    to << "<tr>";
    for (std::size_t i = 0; i != cells.size(); ++i) {
      to << "<td data-column=\"" << columns[i] << "\">" << cells[i] << "</td>";
    }
    to << "</tr>\n";
  }
  to << "</table>\n";
}

void print_one(verdict const& v, drawing const& d, scenario const& of, std::ostream& to) {
  to << "<h2>" << heading_of(v) << "</h2>\n<p>" << recovery_of(v)
     << (v.holds_down_from_load ? (v.holds_down() ? " It does so from " : " It holds the service down from ") +
                                      percent(*v.holds_down_from_load) + " load on; yours is " + percent(v.load) + "."
                                : " It holds the service down at no load below the capacity.");
  if (v.simulated_clients != of.clients) {
    to << " Simulated " << v.simulated_clients << " of the clients, with their share of the capacity.";
  }
  to << "</p>\n<div class=\"pictures\">\n<div><h3>Each second</h3>\n";
  draw_times(v, d, of, to);
  key(to, {{attempts_colour, "none", "attempts"},
           {answers_colour, "none", "calls answered"},
           {calls_colour, "6 3", "calls"},
           {capacity_colour, "2 3", "capacity"},
           {"#dddddd", "none", "outage"}});
  if (!d.found.levels.empty()) {
    to << "<h3>The quota of a client, on average</h3>\n";
    draw_levels(v, d, to);
  }
  to << "</div>\n<div><h3>How long successful calls took</h3>\n";
  draw_latencies(d, to);
  key(to, {{attempts_colour, "none", "begun in the outage"}, {answers_colour, "none", "begun after it"}});
  to << "</div>\n<div><h3>Loads and outages it survives</h3>\n";
  draw_map(d, v.load, to);
  key(to, {{"#cfe3f3", "none", "recovers"}, {"#D55E00", "none", "holds the service down"}});
  to << "<p class=\"key\">Load from left to right, length of the outage upwards; the ring is your "
        "service.</p></div>\n</div>\n";
  if (!v.changes.empty()) {
    to << "<h3>What to change</h3>\n<ul>\n";
    for (auto const& one : v.changes) {
      to << "<li>" << one.what << ":<br><code>" << escaped(one.strategy) << "</code><br>recovers in "
         << decimal(one.recovery_seconds, 1) << " s, and loses " << decimal(one.lost_in_health, 0)
         << " of 100000 calls in healthy times</li>\n";
    }
    to << "</ul>\n";
  }
  if (!v.warnings.empty()) {
    to << "<h3>Warnings</h3>\n<ul>\n";
    for (auto const& one : v.warnings) to << "<li>" << escaped(one) << "</li>\n";
    to << "</ul>\n";
  }
}

}  // namespace

void print_page(std::vector<verdict> const& verdicts, std::vector<drawing> const& drawings, settings const& s,
                std::ostream& to) {
  auto const& of = s.of;
  to << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>anew-plan</title>\n<style>"
     << style << "</style>\n</head>\n<body>\n<h1>What a retry strategy does to a service in an outage</h1>\n<p>"
     << of.clients << " clients with " << decimal(of.rate, of.rate < 1 ? 3 : 1)
     << " calls a second each, on a service of " << decimal(of.capacity, 0)
     << " attempts a second: " << percent(of.load()) << " load. Time-out " << time_of(seconds_of(of.timeout.count()))
     << ". An outage of " << time_of(seconds_of(of.outage.count())) << " with " << percent(of.remaining)
     << " of the capacity.";
  to << "</p>\n";
  print_table(verdicts, to);
  for (std::size_t i = 0; i != verdicts.size(); ++i) print_one(verdicts[i], drawings[i], of, to);
  to << "</body>\n</html>\n";
}

}  // namespace anew_plan
