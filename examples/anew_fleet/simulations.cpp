// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "by_text.hpp"
#include "instant.hpp"
#include "simulations.hpp"

namespace anew_fleet {

namespace {

using namespace std::chrono_literals;
using fleet_simulation::event_log;
using fleet_simulation::observed;
using fleet_simulation::seconds_of;

std::vector<row> rows_of(observed const& found, scenario_file const& file, bool by_second) {
  std::vector<row> rows;
  for (std::size_t i = 0; i != found.periods.size(); ++i) {
    auto const& of = found.periods[i];
    auto const sum = found.times.sum(of.begin, of.end);
    row one;
    one.begin = seconds_of(of.begin);
    one.end = seconds_of(of.end);
    one.name = by_second ? std::to_string(i) + " s" : file.phases[i];
    one.calls = sum.calls;
    one.attempts = sum.attempts;
    one.amplification = sum.calls == 0 ? 0 : one.attempts / one.calls;
    one.good = static_cast<double>(of.took.size());
    one.failed = one.calls - one.good - sum.open;
    one.by_quota = of.by_quota;
    one.under_way = sum.open;
    one.p50 = of.took.quantile(0.5);
    one.p99 = of.took.quantile(0.99);
    one.p999 = of.took.quantile(0.999);
    rows.push_back(std::move(one));
  }
  return rows;
}

result simulate(scenario_file const& file, how const& by, std::uint64_t seed, event_log& log) {
  auto w = file.of;
  w.seed = seed;
  auto const end = observed::end_of(w);
  if (by.by_second) {
    for (anew::duration t{}; t.count() < end; t += 1s) w.periods.push_back(t);
  }
  auto const found = anew_plan::simulate(file.strategy, w, log);
  result of;
  of.seed = seed;
  of.rows = rows_of(found, file, by.by_second);
  if (found.has_collapsed) {
    of.gave_up = seconds_of(found.ended);
  } else {
    of.recovery = found.times.recovery(end - w.phases.back().lasts.count());
  }
  for (auto const n : found.attempts_of_layer) of.attempts_of_layers.push_back(static_cast<double>(n));
  of.events = found.events;
  of.checksum = log.checksum();
  return of;
}

/// Runs the simulations, and tells how far they are.
class work {
 public:
  work(scenario_file const& file, how const& by) : file_{file}, by_{by}, results_(by.seeds) {
    for (unsigned i = 0; i != by.seeds; ++i) {
      if (by.see) {
        logs_.emplace_back(by.see);
      } else {
        logs_.emplace_back();
      }
    }
  }

  std::vector<result> run() {
    std::vector<std::jthread> threads;
    auto const n = std::min(by_.jobs, by_.seeds);
    threads.reserve(n);
    left_ = n;
    for (unsigned i = 0; i != n; ++i) threads.emplace_back([this] { run_some(); });
    std::unique_lock lock{mutex_};
    while (!is_done_.wait_for(lock, 200ms, [this] { return left_ == 0; })) {
      if (by_.show) by_.show(share_done());
    }
    lock.unlock();
    threads.clear();
    if (failed_) std::rethrow_exception(failed_);
    return std::move(results_);
  }

 private:
  void run_some() {
    try {
      for (auto i = next_++; i < by_.seeds; i = next_++) {
        results_[i] = simulate(file_, by_, file_.of.seed + i, logs_[i]);
      }
    } catch (...) {
      std::lock_guard const lock{mutex_};
      failed_ = std::current_exception();
    }
    std::lock_guard const lock{mutex_};
    --left_;
    is_done_.notify_all();
  }
  [[nodiscard]] double share_done() const {
    auto const all = seconds_of(observed::end_of(file_.of)) * by_.seeds;
    double done = 0;
    for (auto const& log : logs_) done += seconds_of(log.present());
    return done / all;
  }

  scenario_file const& file_;
  how const& by_;
  std::vector<result> results_;
  std::deque<event_log> logs_;
  std::atomic<unsigned> next_{0};
  std::mutex mutex_;
  std::condition_variable is_done_;
  unsigned left_ = 0;
  std::exception_ptr failed_;
};

}  // namespace

std::vector<result> run(scenario_file const& file, how const& by) { return work{file, by}.run(); }

}  // namespace anew_fleet
