// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "load.hpp"
#include "streams.hpp"
#include "support/misbehaving_server.hpp"

namespace anew_load {

namespace {

using namespace std::chrono_literals;

std::unique_ptr<calling> make_calling(settings const& s, endings& into) {
  if (s.no_retry) return make_bare(s);
  if (s.observe) return make_observed(s, into);
  if (s.hedge.index() != 0) return make_hedged(s, into);
  return s.strategy ? make_by_text(s, into) : make_usual(s, into);
}

std::unique_ptr<demo::misbehaving_server> server_of(settings const& s) {
  if (!s.inside) return nullptr;
  auto server = std::make_unique<demo::misbehaving_server>();
  server->remember(false);
  auto const& how = s.server;
  if (how.most > 0ns) server->answer_after("/", how.least, how.most, how.seed);
  if (how.slow_share) server->sometimes("/", how.slow_share->share, demo::step::delay(how.slow_share->by), how.seed);
  if (how.failing_share) {
    server->sometimes("/", how.failing_share->share, demo::step::status(how.failing_share->status), how.seed);
  }
  if (how.limited) server->limit("/", *how.limited, demo::step::status(429), 4);
  return server;
}

/// A strategy, and who counts why its calls end.
struct lane_of_run {
  explicit lane_of_run(settings const& s) : how{make_calling(s, ended)} {}
  endings ended;
  endings::counts gave_up_before{};  // while warming up
  std::unique_ptr<calling> how;

  [[nodiscard]] strategy_report report() const {
    strategy_report made;
    made.strategy = how->describe();
    made.gave_up = ended.now();
    for (std::size_t i = 0; i != made.gave_up.size(); ++i) made.gave_up[i] -= gave_up_before[i];
    made.gave_up[static_cast<std::size_t>(anew::stop_reason::cancelled)] = 0;  // those are the unfinished
    made.hedges = how->hedges();
    made.quota = how->quota();
    return made;
  }
};

/// How long the parts of the series are; zero for no series.
anew::duration part_of(settings const& s) {
  if (!s.compared.empty()) return s.requests || s.load_for <= 1min ? anew::duration{100ms} : anew::duration{1s};
  return s.csv || s.hdr ? anew::duration{1s} : anew::duration{};
}

/// As many places for each target as it weighs, spread evenly.
std::vector<std::uint32_t> rota_of(std::vector<std::uint32_t> weights, std::size_t targets) {
  weights.resize(targets, 1);
  auto const all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  std::vector<std::int64_t> due(targets, 0);
  std::vector<std::uint32_t> rota;
  for (std::int64_t i = 0; i != all; ++i) {
    for (std::size_t k = 0; k != targets; ++k) due[k] += weights[k];
    auto const most = std::max_element(due.begin(), due.end());
    *most -= all;
    rota.push_back(static_cast<std::uint32_t>(most - due.begin()));
  }
  return rota;
}

/// While warming up, calls arrive at the first rate.
std::optional<arrivals> arrivals_of(settings const& s) {
  if (s.rate.empty()) return std::nullopt;
  auto steps = s.rate;
  auto const first = steps.front().from;
  if (s.warm_up > 0ns) steps.insert(steps.begin(), {first, first, s.warm_up});
  return arrivals{steps};
}

}  // namespace

/// A call that a gate or a pacer refused at once has none.
std::uint64_t strategy_report::first_attempts() const {
  auto const none = of.last_failures.find(outcome_of(reply{}));
  return of.calls() + of.unfinished - (none == of.last_failures.end() ? 0 : none->second);
}

std::uint64_t strategy_report::extra() const {
  auto const first = first_attempts();
  return of.attempts.begun > first ? of.attempts.begun - first : 0;
}

std::uint64_t strategy_report::retries() const { return extra() > of.hedges.made ? extra() - of.hedges.made : 0; }

double strategy_report::extra_percent() const {
  auto const first = first_attempts();
  return first == 0 ? 0 : 100 * static_cast<double>(extra()) / static_cast<double>(first);
}

std::uint64_t load_report::calls() const {
  std::uint64_t n = 0;
  for (auto const& one : of) n += one.of.calls();
  return n;
}

std::uint64_t load_report::ok() const {
  std::uint64_t n = 0;
  for (auto const& one : of) n += one.of.good;
  return n;
}

std::uint64_t load_report::missing_descriptors() const {
  std::uint64_t n = 0;
  for (auto const& one : of) n += one.of.attempts.missing_descriptors;
  return n;
}

double load_report::per_second(std::uint64_t n) const {
  return took > 0ns ? static_cast<double>(n) / std::chrono::duration<double>{took}.count() : 0;
}

double load_report::processor_us_per_call() const {
  auto const us = std::chrono::duration<double, std::micro>{processor}.count();
  return calls() == 0 ? 0 : us / static_cast<double>(calls());
}

load_report run_load(settings const& s, std::stop_token const& stop, std::function<void(progress const&)> const& show) {
  auto const server = server_of(s);
  std::deque<lane_of_run> lanes;
  for (auto const& text : s.compared) {
    auto one = s;
    one.no_retry = text == no_retry_name;
    if (!one.no_retry) one.strategy = text;
    lanes.emplace_back(one);
  }
  if (s.compared.empty()) lanes.emplace_back(s);
  load_report report;
  auto const urls = server ? std::vector{server->url()} : s.urls;
  for (auto const& url : urls) report.urls.push_back(anew_get::printable(url));
  report.url = report.urls.front();
  plan p;
  p.options = &s;
  p.targets = targets_of(urls, s.request);
  // Reading the system's authorities takes 80 ms.
  bool const uses_tls = std::any_of(p.targets.begin(), p.targets.end(), [](auto const& to) { return to.is_encrypted; });
  auto const tls = uses_tls || s.cacert ? make_tls_context(s.cacert, !s.insecure) : nullptr;
  p.rota = rota_of(s.weights, p.targets.size());
  p.rules = {tls.get(), s.requests_per_connection, s.silence};
  for (auto const& one : lanes) p.lanes.push_back(one.how.get());
  p.rate = arrivals_of(s);
  p.part = part_of(s);
  report.rate = p.rate;

  auto const now = clock::now();
  anew::duration const longest = clock::time_point::max() - now;
  auto const warm_up = std::min(s.warm_up, longest);
  report.warm_up = warm_up;
  report.measured_from =
      std::chrono::system_clock::now() +
      std::chrono::duration_cast<std::chrono::system_clock::duration>(std::min<anew::duration>(warm_up, 24h));
  schedule when{now, now + warm_up, now + warm_up + std::min(s.load_for, longest - warm_up),
                static_cast<std::int64_t>(s.requests.value_or(0))};
  std::mutex mutex;
  std::condition_variable_any sleeping;
  std::vector<std::unique_ptr<worker>> workers;
  for (std::uint32_t i = 0; i != s.threads; ++i) {
    auto const callers = s.calls / s.threads + (i < s.calls % s.threads ? 1 : 0);
    workers.push_back(std::make_unique<worker>(p, when, callers, i, s.threads));
  }
  for (auto const& one : workers) {
    one->start([&] {
      std::lock_guard const lock{mutex};
      sleeping.notify_one();
    });
  }
  auto const interrupt = [&] {
    for (auto const& one : workers) one->interrupt();
  };
  std::stop_callback const interrupted{stop, interrupt};
  auto last = now;
  auto last_look = now;
  auto const between_looks = std::clamp<anew::duration>(std::min(s.silence.connect, s.silence.stall) / 8, 100ms, 1s);
  auto const all_over = [&] {
    return std::all_of(workers.begin(), workers.end(), [](auto const& one) { return one->is_over(); });
  };
  bool has_reader = true;
  for (bool is_warm = s.warm_up == 0ns; !all_over();) {
    std::unique_lock lock{mutex};
    sleeping.wait_until(lock, std::min(clock::now() + 100ms, is_warm ? clock::time_point::max() : when.measure),
                        all_over);
    if (has_reader && anew_get::is_reader_gone(STDOUT_FILENO)) {
      has_reader = false;
      interrupt();
    }
    auto const here = clock::now();
    if (!is_warm && here >= when.measure) {
      is_warm = true;
      for (auto& one : lanes) one.gave_up_before = one.ended.now();
    }
    if (here - last_look >= between_looks) {
      last_look = here;
      for (auto const& one : workers) one->end_stalled();
    }
    if (here - last < (s.observe ? 1s : 500ms) || !show) continue;
    progress far{here - now, here - last, {}, lanes.front().how->status()};
    for (auto const& one : workers) one->add_recent_to(far.recent);
    last = here;
    show(far);
  }
  for (auto const& one : lanes) report.of.push_back(one.report());
  auto last_end = when.measure;
  for (auto const& one : workers) {
    auto all = one->finish();
    report.processor += one->processor();
    for (std::size_t i = 0; i != all.size(); ++i) {
      last_end = std::max(last_end, all[i].last_end);
      report.of[i].of += all[i];
    }
  }
  if (report.of.size() == 2) report.compared = compare(report.of[0].of.in_time, report.of[1].of.in_time);
  report.took = last_end - when.measure;
  report.interrupted = stop.stop_requested();
  for (auto const& one : lanes) one.how->finish();
  if (server) report.server = load_report::at_server{server->request_count(), server->connection_count()};
  return report;
}

}  // namespace anew_load
