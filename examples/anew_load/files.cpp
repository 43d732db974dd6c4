// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cerrno>
#include <iostream>
#include <set>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "files.hpp"
#include "hdr_format.hpp"
#include "option_values.hpp"
#include "words.hpp"

namespace anew_load {

namespace {

using namespace std::chrono_literals;

/// By second, and within it by strategy.
std::vector<std::vector<slice>> seconds_of(load_report const& report) {
  std::vector<std::vector<slice>> all;
  std::size_t longest = 0;
  for (auto const& one : report.of) {
    auto const length = std::max<anew::duration>(one.of.in_time.length(), 1ms);
    all.push_back(one.of.in_time.in_parts_of(static_cast<std::size_t>(1s / length)));
    longest = std::max(longest, all.back().size());
  }
  for (auto& one : all) one.resize(longest);
  return all;
}

/// "not in time" as the name of a column.
std::string as_column(std::string words) {
  std::replace(words.begin(), words.end(), ' ', '_');
  return words;
}

std::string as_ms(anew::duration d) { return number(anew_get::in_milliseconds(d), 6); }

std::string letter(std::size_t strategy) { return {static_cast<char>('A' + strategy)}; }

/// Null unless `name` is a standard stream. Opening that by its name would truncate the file behind it, and write from
/// its beginning.
std::ostream* standard_stream(std::string const& name) {
  for (auto const* const one : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    if (name == one) return &std::cout;
  }
  for (auto const* const one : {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"}) {
    if (name == one) return &std::cerr;
  }
  return nullptr;
}

std::optional<std::ofstream> open(std::string const& name) {
  std::ofstream to{name, std::ios::binary};
  if (!to.is_open()) return std::nullopt;
  return to;
}

}  // namespace

void print_csv(load_report const& report, std::ostream& out) {
  auto const seconds = seconds_of(report);
  std::set<outcome> ends;
  for (auto const& one : seconds) {
    for (auto const& part : one) {
      for (auto const& [how, n] : part.attempts) ends.insert(how);
    }
  }
  out << "second,strategy,rate,calls,ok,failed,attempts,p50_ms,p99_ms,max_ms";
  for (auto const how : ends) out << ",attempts_" << as_column(words_of(how));
  out << '\n';
  for (std::size_t i = 0; i != seconds.front().size(); ++i) {
    for (std::size_t strategy = 0; strategy != seconds.size(); ++strategy) {
      auto const& one = seconds[strategy][i];
      latencies took;
      one.add_to(took);
      out << i << ',' << letter(strategy) << ',';
      if (report.rate) {
        auto const of_all = report.rate->rate_at(report.warm_up + std::chrono::seconds{i} + 500ms);
        out << number(of_all / static_cast<double>(seconds.size()), 3);  // strategies that are compared share it
      }
      out << ',' << one.calls() << ',' << one.good << ',' << one.failed << ',' << one.attempts_ended();
      for (auto const& value : {took.quantile(0.5), took.quantile(0.99), took.most()}) {
        out << ',';
        if (one.calls() != 0) out << as_ms(value);
      }
      for (auto const how : ends) {
        auto const found =
            std::find_if(one.attempts.begin(), one.attempts.end(), [how](auto const& end) { return end.first == how; });
        out << ',' << (found == one.attempts.end() ? 0 : found->second);
      }
      out << '\n';
    }
  }
}

bool is_hdr_log(std::string const& name) { return name.ends_with(".hlog"); }

void print_hdr(load_report const& report, bool is_log, std::ostream& out) {
  if (!is_log) {
    latencies all;
    for (auto const& one : report.of) all.add(one.of.took);
    print_percentiles(all, out);
    return;
  }
  print_log_head(report.measured_from, out);
  auto const seconds = seconds_of(report);
  for (std::size_t i = 0; i != seconds.front().size(); ++i) {
    for (std::size_t strategy = 0; strategy != seconds.size(); ++strategy) {
      latencies took;
      seconds[strategy][i].add_to(took);
      print_log_line(seconds.size() == 1 ? "" : letter(strategy), std::chrono::seconds{i}, 1s, took, out);
    }
  }
}

result_files::result_files(settings const& s) {
  auto const make = [](char const* option, std::optional<std::string> const& name, std::optional<opened>& into) {
    if (!name) return;
    if (standard_stream(*name) != nullptr) {
      into.emplace(*name, std::ofstream{});
      return;
    }
    errno = 0;
    auto to = open(*name);
    if (!to) anew_get::refuse(option, *name, std::system_category().message(errno));
    into.emplace(*name, *std::move(to));
  };
  make("--csv", s.csv, csv_);
  make("--hdr", s.hdr, hdr_);
}

void result_files::write(opened& file, std::function<void(std::ostream&)> const& print) {
  if (auto* const out = standard_stream(file.name)) {
    print(*out);
    out->flush();
    return;
  }
  print(file.to);
  file.to.close();
  if (!file.to) throw std::runtime_error{"cannot write '" + file.name + "'"};
}

void result_files::write(load_report const& report) {
  if (csv_) write(*csv_, [&](std::ostream& out) { print_csv(report, out); });
  if (hdr_) write(*hdr_, [&](std::ostream& out) { print_hdr(report, is_hdr_log(hdr_->name), out); });
}

}  // namespace anew_load
