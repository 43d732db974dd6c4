// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
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

}  // namespace

double load_report::calls_per_second() const {
  return took > 0ns ? static_cast<double>(of.calls()) / std::chrono::duration<double>{took}.count() : 0;
}

double load_report::processor_us_per_call() const {
  auto const us = std::chrono::duration<double, std::micro>{of.processor}.count();
  return of.calls() == 0 ? 0 : us / static_cast<double>(of.calls());
}

std::uint64_t load_report::extra() const {
  auto const first = of.calls() + of.unfinished;
  return of.attempts > first ? of.attempts - first : 0;
}

std::uint64_t load_report::retries() const { return extra() > of.hedges.made ? extra() - of.hedges.made : 0; }

double load_report::extra_percent() const {
  auto const first = of.calls() + of.unfinished;
  return first == 0 ? 0 : 100 * static_cast<double>(extra()) / static_cast<double>(first);
}

load_report run_load(settings const& s, std::stop_token const& stop, std::function<void(progress const&)> const& show) {
  auto const server = server_of(s);
  endings ended;
  auto const how = make_calling(s, ended);
  load_report report;
  auto const url = server ? server->url() : s.url;
  report.url = anew_get::printable(url);
  report.strategy = how->describe();
  auto const to = target_of(url, s.request);

  auto const now = clock::now();
  anew::duration const longest = clock::time_point::max() - now;
  auto const warm_up = std::min(s.warm_up, longest);
  schedule when{now, now + warm_up, now + warm_up + std::min(s.load_for, longest - warm_up),
                static_cast<std::int64_t>(s.requests.value_or(0))};
  std::vector<std::unique_ptr<worker>> workers;
  for (std::uint32_t i = 0; i != s.threads; ++i) {
    auto const callers = s.calls / s.threads + (i < s.calls % s.threads ? 1 : 0);
    workers.push_back(std::make_unique<worker>(s, to, *how, when, callers, i, s.threads));
  }
  for (auto const& one : workers) one->start();
  auto const interrupt = [&] {
    for (auto const& one : workers) one->interrupt();
  };
  std::stop_callback const interrupted{stop, interrupt};
  std::mutex mutex;
  std::condition_variable_any sleeping;
  endings::counts gave_up_before{};
  auto last = now;
  auto const all_over = [&] {
    return std::all_of(workers.begin(), workers.end(), [](auto const& one) { return one->is_over(); });
  };
  bool has_reader = true;
  for (bool is_warm = s.warm_up == 0ns; !all_over();) {
    std::unique_lock lock{mutex};
    sleeping.wait_for(lock, 20ms, all_over);
    if (has_reader && anew_get::is_reader_gone(STDOUT_FILENO)) {
      has_reader = false;
      interrupt();
    }
    auto const here = clock::now();
    if (!is_warm && here >= when.measure) {
      is_warm = true;
      gave_up_before = ended.now();
    }
    if (here - last < 500ms || !show) continue;
    progress far{here - now, here - last, {}};
    for (auto const& one : workers) one->add_recent_to(far.recent);
    last = here;
    show(far);
  }
  for (auto const& one : workers) report.of += one->finish();
  report.took = std::max(report.of.last_end - when.measure, clock::duration::zero());
  report.interrupted = stop.stop_requested();
  report.gave_up = ended.now();
  for (std::size_t i = 0; i != report.gave_up.size(); ++i) report.gave_up[i] -= gave_up_before[i];
  report.gave_up[static_cast<std::size_t>(anew::stop_reason::cancelled)] = 0;  // those are the unfinished
  report.hedges = how->hedges();
  report.quota = how->quota();
  if (server) report.server = load_report::at_server{server->request_count(), server->connection_count()};
  return report;
}

}  // namespace anew_load
